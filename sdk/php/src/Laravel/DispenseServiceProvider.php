<?php

declare(strict_types=1);

namespace Dispense\Laravel;

use Dispense\Dispense;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\ServiceProvider;
use Psr\Log\LoggerInterface;

/**
 * `Dispense` from Laravel's container, made of `services.dispense.key` and `.url`, and the route of the webhook:
 * `services.dispense.webhook_path`, or webhooks/dispense. The route is in no group, so it asks for no CSRF token.
 */
final class DispenseServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->app->singleton(Dispense::class, static function ($app): Dispense {
            $given = $app['config']->get('services.dispense', []);
            $options = array_intersect_key($given, ['timeout' => 1, 'attemptsMax' => 1, 'deadline' => 1]);
            return Dispense::create($given['key'] ?? '', $given['url'] ?? '', ...$options, logger: $app->make(LoggerInterface::class));
        });
    }

    public function boot(): void
    {
        if (!$this->app->routesAreCached()) {
            $path = $this->app['config']->get('services.dispense.webhook_path', 'webhooks/dispense');
            Route::post($path, WebhookController::class)->name('dispense.webhook');
        }
    }
}
