<?php
// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   composer require dispense/dispense guzzlehttp/guzzle   (the SDK, as its README says: /docs/sdk/php)
//   PHP_CLI_SERVER_WORKERS=4 php -S 127.0.0.1:9000 shop.php
//   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//   curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. PHP 8.1 or newer, with the SDK.

use Dispense\Dispense;
use Dispense\Errors\DispenseException;
use Dispense\Webhook;
use Dispense\WebhookVerificationException;

require "vendor/autoload.php";

define("FOLDER", getenv("SHOP_FOLDER") ?: "orders");
// For each try: web servers end PHP after 30 seconds. No answer is not a failure, see sell().
define("TIMEOUT_SECONDS", (int) (getenv("SHOP_TIMEOUT") ?: 20));
// So long after an order nothing that sell() sent can still be under way.
define("GIVE_UP_SECONDS", (int) (getenv("SHOP_GIVE_UP") ?: 600));

// ---- Selling

/** Call it when the customer has paid. */
function sell(string $reference, int $productId, string $phone): array
{
    // Written down before anything is sent: whatever crashes, the order and its reference are still there.
    $isNew = locked(function () use ($reference, $productId, $phone) {
        if (load($reference) !== null) {
            return false;
        }
        save(["reference" => $reference, "product_id" => $productId, "phone" => $phone,
            "state" => "waiting", "note" => "", "created_at" => time()]);
        return true;
    });
    if (!$isNew) {
        return load($reference);
    }
    try {
        return settle($reference, dispense()->buyData(product_id: $productId, phone: $phone, reference: $reference));
    } catch (DispenseException $error) {
        // "unknown": a try had no answer, so it may have been bought; check() finds out. The SDK tried four times under
        // the same reference, which is never bought twice.
        return $error->charged === "no" ? finish($reference, "refunded", $error->errorCode) : load($reference);
    }
}

/** What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait. */
function check(string $reference): ?array
{
    $order = load($reference);
    if ($order === null || $order["state"] !== "waiting") {
        return $order;
    }
    try {
        return settle($reference, dispense()->getTransaction($reference));
    } catch (DispenseException $error) {
        $isUnknown = $error->errorCode === "TRANSACTION_NOT_FOUND";
        $isOver = $isUnknown && time() - $order["created_at"] > GIVE_UP_SECONDS;
        return $isOver ? finish($reference, "refunded", "never bought") : $order;
    }
}

/** What a transaction says, whoever told it: an answer, a question or a webhook. */
function settle(string $reference, array $transaction): ?array
{
    return match ($transaction["status"]) {
        "successful" => finish($reference, "delivered", $transaction["transaction_id"]),
        "failed" => finish($reference, "refunded", $transaction["error_code"]),
        default => load($reference), // pending: wait. Neither buy it again nor give the money back.
    };
}

/** The only door to an end, which an order passes once. In a database this is one transaction. */
function finish(string $reference, string $state, string $note): ?array
{
    return locked(function () use ($reference, $state, $note) {
        $order = load($reference);
        if ($order === null || $order["state"] !== "waiting") {
            return $order;
        }
        if ($state === "refunded") {
            give_money_back($order);
        }
        return save(["state" => $state, "note" => $note] + $order);
    });
}

function give_money_back(array $order): void
{
    file_put_contents(FOLDER . "/refunds.txt", $order["reference"] . "\n", FILE_APPEND); // your payment provider's refund
}

function dispense(): Dispense
{
    return Dispense::create(timeout: TIMEOUT_SECONDS); // DISPENSE_URL and DISPENSE_KEY
}

// ---- Webhooks

function receive(string $body): int
{
    try {
        $notice = Webhook::verify($body, getallheaders(), getenv("DISPENSE_WEBHOOK_SECRET"));
    } catch (WebhookVerificationException) {
        return 401;
    }
    ["event" => $event, "mode" => $mode, "data" => $data] = $notice;
    // Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see finish().
    $isOurs = $mode === (str_starts_with(getenv("DISPENSE_KEY"), "ds_live_") ? "live" : "test");
    if ($isOurs && in_array($event, ["transaction.successful", "transaction.failed"], true)) {
        settle($data["reference"], $data);
    }
    return 204;
}

// ---- Orders, one file each

function file_of(string $reference): ?string
{
    return preg_match('/^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}$/D', $reference) ? FOLDER . "/$reference.json" : null;
}

function load(string $reference): ?array
{
    $file = file_of($reference);
    return $file !== null && file_exists($file) ? json_decode(file_get_contents($file), true) : null;
}

function save(array $order): array
{
    $file = file_of($order["reference"]);
    file_put_contents("$file.new", json_encode($order));
    rename("$file.new", $file);
    return $order;
}

/** One process of PHP at a time. */
function locked(callable $work): mixed
{
    $lock = fopen(FOLDER . "/lock", "c");
    flock($lock, LOCK_EX);
    try {
        return $work();
    } finally {
        fclose($lock);
    }
}

// ---- The shop's own web server

function answer(int $status, ?array $body = null): void
{
    http_response_code($status);
    header("Content-Type: application/json");
    echo $body === null ? "" : json_encode($body);
}

function respond(string $method, string $path): void
{
    $body = file_get_contents("php://input");
    if ($method === "POST" && $path === "/webhooks/dispense") {
        answer(receive($body));
    } elseif ($method === "GET" && str_starts_with($path, "/orders/")) {
        $order = check(substr($path, strlen("/orders/")));
        answer($order === null ? 404 : 200, $order);
    } elseif ($method === "POST" && $path === "/orders") {
        $order = json_decode($body, true);
        file_of($order["reference"]) === null
            ? answer(400)
            : answer(200, sell($order["reference"], $order["product_id"], $order["phone"]));
    } else {
        answer(404);
    }
}

is_dir(FOLDER) || @mkdir(FOLDER, 0700, true);
respond($_SERVER["REQUEST_METHOD"], $_SERVER["REQUEST_URI"]);
