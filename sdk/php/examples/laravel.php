<?php

// Sells airtime and hears of its end in Laravel 8 or newer: take it as routes/dispense.php, and `require` it in routes/api.php.
//
//   composer require dispense/dispense guzzlehttp/guzzle
//   config/services.php: 'dispense' => ['url' => env('DISPENSE_URL'), 'key' => env('DISPENSE_KEY'),
//       'webhook_secret' => env('DISPENSE_WEBHOOK_SECRET')],
//   curl http://127.0.0.1:8000/api/sales --json '{"reference":"sale-1","phone":"08031234567","amount":"100.00"}'
//   curl http://127.0.0.1:8000/api/sales/sale-1
//
// The package's own route, /webhooks/dispense, reads the raw bytes, verifies, skips repeated deliveries and answers. Sales are
// in the cache here: a table of your database takes its place.

use Dispense\Dispense;
use Dispense\Errors\DispenseException;
use Dispense\Laravel\WebhookReceived;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Route;

// Final are "successful" and "failed"; "pending" changes nothing.
$settle = static function (array $transaction): void {
    $sale = Cache::get("sale:{$transaction['reference']}");
    if ($sale !== null && $sale['status'] === 'pending') {
        Cache::put("sale:{$sale['reference']}", ['status' => $transaction['status']] + $sale);
    }
};

Event::listen(static function (WebhookReceived $received) use ($settle): void {
    ['event' => $event, 'data' => $data] = $received->event;
    if (in_array($event, ['transaction.successful', 'transaction.failed'], true)) {
        $settle($data);
        $sale = Cache::get("sale:{$data['reference']}");
        $sale === null || Cache::put("sale:{$data['reference']}", ['events' => [...$sale['events'], $event]] + $sale);
    }
});

Route::post('/sales', static function (Request $request, Dispense $dispense) use ($settle) {
    $wish = $request->validate(['reference' => 'required|string', 'phone' => 'required|string', 'amount' => 'required|string']);
    $key = "sale:{$wish['reference']}";
    $sale = ['reference' => $wish['reference'], 'status' => 'pending', 'events' => []];
    if (Cache::add($key, $sale)) { // written down before anything is sent
        try {
            $settle($dispense->buyAirtime(...$wish, network: 'MTN'));
        } catch (DispenseException $error) {
            // 'unknown' stays pending, for it may have been bought: docs/shops shows how to ask for it later.
            $error->charged === 'no' && Cache::put($key, ['status' => 'failed'] + $sale);
        }
    }
    return Cache::get($key);
});

Route::get('/sales/{reference}', static fn (string $reference) => Cache::get("sale:{$reference}") ?? abort(404));
