<?php

declare(strict_types=1);

namespace Dispense;

/** A message that is not one of ours. */
final class WebhookVerificationException extends \RuntimeException
{
    /** @param 'headers'|'timestamp'|'signature'|'body'|'secret' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
