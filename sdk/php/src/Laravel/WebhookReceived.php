<?php

declare(strict_types=1);

namespace Dispense\Laravel;

/** A verified webhook of the key's mode. A listener that takes long implements ShouldQueue: the service waits 15 seconds. */
final class WebhookReceived
{
    /**
     * @param array{event: string, mode: string, delivery_id: string, event_id: string, sent_at: string, data: array<string, mixed>} $event
     */
    public function __construct(public readonly array $event)
    {
    }
}
