<?php

declare(strict_types=1);

namespace Dispense;

/**
 * Verifying webhooks, and signing some for tests.
 *
 * @phpstan-import-type WebhookEvent from Generated\Operations
 */
final class Webhook
{
    /** Base64 in whole groups of four: what was cut, or copied with a blank, is no secret. */
    private const SECRET = '#^whsec_((?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$#D';

    /**
     * The event in a webhook, once its signature is verified over the raw bytes, such as `php://input` has them. Skip what
     * you have seen: `delivery_id` is the same on every try, `event_id` at every endpoint.
     *
     * @param array<string, string|list<string>> $headers in any case, of PSR-7, Laravel or `getallheaders()`
     * @param string|list<string> $secrets the endpoint's secret, or during a rotation both
     * @return WebhookEvent a shape for each `event`
     * @throws WebhookVerificationException
     */
    public static function verify(
        string $body,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): array {
        $byName = array_change_key_case($headers);
        $header = static function (string $name) use ($byName): string {
            $value = $byName[$name] ?? '';
            return is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        };
        [$id, $timestamp, $signatures] = array_map($header, ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
        if ($id === '' || $timestamp === '' || $signatures === '') {
            $missing = 'webhook-id, webhook-timestamp or webhook-signature is missing.';
            throw new WebhookVerificationException('headers', $missing);
        }
        self::checkAge($timestamp, $toleranceSeconds, $now ?? time());
        $isOurs = false;
        foreach ((array) $secrets as $secret) {
            $expected = self::signature($secret, $id, $timestamp, $body);
            foreach (explode(' ', $signatures) as $given) {
                $isOurs = hash_equals($expected, $given) || $isOurs;
            }
        }
        if (!$isOurs) {
            $advice = 'Use the endpoint’s present secret, and the raw bytes of the body as they came.';
            throw new WebhookVerificationException('signature', "No signature matches. {$advice}");
        }
        $event = json_decode($body, true);
        if (!is_array($event)) {
            throw new WebhookVerificationException('body', 'The body is signed, but it isn’t a JSON object.');
        }
        return $event;
    }

    private static function checkAge(string $timestamp, int $tolerance, int $now): void
    {
        if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationException('timestamp', 'webhook-timestamp isn’t a number of seconds.');
        }
        $off = $now - (int) $timestamp;
        if (abs($off) > $tolerance) {
            $age = sprintf('%d seconds %s', abs($off), $off > 0 ? 'old' : 'early');
            throw new WebhookVerificationException('timestamp', "The message is {$age}. Check this machine’s clock.");
        }
    }

    /**
     * One signature, `v1,…`.
     *
     * @throws WebhookVerificationException for what is no secret
     */
    public static function signature(string $secret, string $id, string $timestamp, string $body): string
    {
        if (preg_match(self::SECRET, $secret, $parts) !== 1) {
            $shape = 'A webhook secret is whsec_ and base64, whole and without blanks.';
            throw new WebhookVerificationException('secret', $shape);
        }
        $key = base64_decode($parts[1], true);
        return 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $key, true));
    }

    /** A secret of the right shape, for tests. */
    public static function testSecret(): string
    {
        return 'whsec_' . base64_encode(random_bytes(32));
    }

    /**
     * Body and headers as the service would send them, for the tests of your receiver; what you leave out is made up.
     *
     * @param array<string, mixed> $event
     * @return array{string, array<string, string>}
     */
    public static function sign(array $event, string $secret, ?int $now = null): array
    {
        $at = $now ?? time();
        $id = $event['delivery_id'] ?? vsprintf('%s%s-%s-4%.3s-8%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4));
        $madeUp = [
            'mode' => 'test',
            'event_id' => 'evt_' . substr(str_replace('-', '', $id), 0, 14),
            'sent_at' => gmdate('Y-m-d\TH:i:sP', $at),
        ];
        $body = json_encode(['delivery_id' => $id] + $event + $madeUp, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        return [$body, [
            'content-type' => 'application/json',
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $at,
            'webhook-signature' => self::signature($secret, $id, (string) $at, $body),
        ]];
    }
}
