<?php

declare(strict_types=1);

namespace Dispense;

/** No answer of the service: why, and when its sender wants to be asked again. */
final class Unanswered extends \RuntimeException
{
    public function __construct(string $why, public readonly ?float $retryAfter = null, ?\Throwable $previous = null)
    {
        parent::__construct($why, 0, $previous);
    }
}
