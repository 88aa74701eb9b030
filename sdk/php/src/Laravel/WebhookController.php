<?php

declare(strict_types=1);

namespace Dispense\Laravel;

use Dispense\Webhook;
use Dispense\WebhookVerificationException;
use Illuminate\Contracts\Cache\Repository as Cache;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Http\Request;
use Illuminate\Http\Response;

/** Verifies a webhook and dispatches `WebhookReceived` for it, once for each delivery. */
final class WebhookController
{
    /** Longer than anything is sent again: the service forgets a delivery after 30 days. */
    private const SECONDS_KEPT = 31 * 86_400;
    /** So long a delivery stays begun whose process died: a later try handles it then. */
    private const SECONDS_BEGUN = 60;

    public function __construct(
        private readonly Cache $cache,
        private readonly Config $config,
        private readonly Dispatcher $events,
    ) {
    }

    public function __invoke(Request $request): Response
    {
        $unset = new \LogicException('Set services.dispense.key and services.dispense.webhook_secret in config/services.php.');
        $key = $this->config->get('services.dispense.key') ?? throw $unset;
        $secrets = $this->config->get('services.dispense.webhook_secret') ?? throw $unset;
        try {
            // The bytes as they came: what $request->all() has was parsed and trimmed.
            $event = Webhook::verify($request->getContent(), $request->headers->all(), $secrets);
        } catch (WebhookVerificationException $error) {
            return new Response($error->reason, 401);
        }
        // Both modes share the address, and may use the same references.
        return new Response('', str_starts_with($key, "ds_{$event['mode']}_") ? $this->handle($event) : 204);
    }

    /** Another status than 204 makes the service send the delivery again. */
    private function handle(array $event): int
    {
        $delivery = "dispense:delivery:{$event['delivery_id']}";
        if (!$this->cache->add($delivery, 'begun', self::SECONDS_BEGUN)) {
            return $this->cache->get($delivery) === 'handled' ? 204 : 409;
        }
        try {
            $this->events->dispatch(new WebhookReceived($event));
        } catch (\Throwable $error) {
            $this->cache->forget($delivery);
            throw $error;
        }
        $this->cache->put($delivery, 'handled', self::SECONDS_KEPT);
        return 204;
    }
}
