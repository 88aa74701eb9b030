<?php

declare(strict_types=1);

namespace Dispense\Laravel;

/**
 * A verified webhook of the key's mode. A listener that takes long implements ShouldQueue: the service waits 15 seconds.
 *
 * @phpstan-import-type WebhookEvent from \Dispense\Generated\Operations
 */
final class WebhookReceived
{
    /** @param WebhookEvent $event */
    public function __construct(public readonly array $event)
    {
    }
}
