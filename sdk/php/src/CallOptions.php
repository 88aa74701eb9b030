<?php

declare(strict_types=1);

namespace Dispense;

/** What one call does otherwise than the client's other calls. */
final class CallOptions
{
    /**
     * @param float|null $timeout seconds for each try
     * @param int|null $attemptsMax tries in all
     * @param float|null $deadline seconds for the whole call, tries and waits
     */
    public function __construct(
        public readonly ?float $timeout = null,
        public readonly ?int $attemptsMax = null,
        public readonly ?float $deadline = null,
    ) {
    }
}
