<?php

declare(strict_types=1);

namespace Dispense;

use Psr\Http\Message\ResponseInterface;

/** An answer of the service. */
final class Answer
{
    /** The largest answer has some hundred kilobytes. */
    public const BODY_BYTES_MAX = 5 * 1024 * 1024;
    /** No Retry-After is believed beyond it. */
    private const RETRY_AFTER_MAX = 86_400.0;

    /** @param array<string, mixed> $body */
    private function __construct(
        public readonly int $status,
        public readonly array $body,
        public readonly bool $isError,
        public readonly ?float $retryAfter,
        public readonly ?string $requestId,
    ) {
    }

    /**
     * What the service said.
     *
     * @param string|null $reference the purchase that was asked for; null where the call is about none
     * @param list<string> $fields what another answer always has
     * @param float $until by hrtime, in seconds: not read for longer
     * @throws Unanswered where the service did not write it, or wrote it about another purchase
     */
    public static function read(ResponseInterface $response, ?string $reference, array $fields, float $until): self
    {
        $status = $response->getStatusCode();
        $retryAfter = self::retryAfter($response);
        $decoded = json_decode(self::text($response, $retryAfter, $until), true);
        $body = is_array($decoded) && ($decoded === [] || !array_is_list($decoded)) ? $decoded : [];
        $code = $body['code'] ?? null;
        $isNamed = is_string($code) && preg_match('/^[A-Z][A-Z0-9_]*$/D', $code) === 1;
        $isError = $status >= 400 && ($body['status'] ?? null) === 'error' && $isNamed;
        // A proxy's own page says nothing about what the service did, whatever its status.
        $isResult = ($status >= 200 && $status < 300) || $status === 422;
        $missing = array_diff($reference === null ? $fields : ['status'], array_keys($body));
        if (!$isError && (!$isResult || $missing !== [])) {
            throw new Unanswered("HTTP {$status}, not written by the service", $retryAfter);
        }
        if (!$isError && $reference !== null && !in_array($reference, [$body['reference'] ?? null, $body['transaction_id'] ?? null], true)) {
            throw new Unanswered('the answer is about another purchase', $retryAfter);
        }
        return new self($status, $body, $isError, $retryAfter, $response->getHeaderLine('X-Request-Id') ?: null);
    }

    private static function text(ResponseInterface $response, ?float $retryAfter, float $until): string
    {
        $stream = $response->getBody();
        try {
            if ($stream->isSeekable()) {
                $stream->rewind();
            }
            for ($text = ''; !$stream->eof(); ) {
                $text .= $stream->read(65_536);
                if (strlen($text) > self::BODY_BYTES_MAX) {
                    throw new Unanswered("HTTP {$response->getStatusCode()}, longer than 5 MiB", $retryAfter);
                }
                if (self::now() > $until) {
                    throw new Unanswered('TIMEOUT, it drips in', $retryAfter);
                }
            }
            return $text;
        } catch (\RuntimeException $error) {
            // A stream throws this very class; another one is somebody's own, who stops the call.
            throw $error::class === \RuntimeException::class ? new Unanswered($error->getMessage(), $retryAfter, $error) : $error;
        }
    }

    /** Seconds, said as seconds or as a date, by the service or by a proxy before it. */
    private static function retryAfter(ResponseInterface $response): ?float
    {
        $text = $response->getHeaderLine('Retry-After');
        if (preg_match('/^[0-9]+(\.[0-9]+)?$/D', $text) === 1) {
            return min((float) $text, self::RETRY_AFTER_MAX);
        }
        $then = $text === '' ? false : strtotime($text);
        $now = strtotime($response->getHeaderLine('Date')) ?: time();
        return $then === false ? null : min(max((float) ($then - $now), 0.0), self::RETRY_AFTER_MAX);
    }

    /** Why a try had no answer, with the name that people search for. */
    public static function causeOf(\Throwable $error, float $seconds): string
    {
        $text = (string) preg_replace('/ \(see http.*$/s', '', $error->getMessage());
        return match (true) {
            preg_match('/error 28:|timed out/i', $text) === 1 => sprintf('TIMEOUT, none within %s s', round($seconds, 3)),
            preg_match('/error 23:/', $text) === 1 => 'longer than 5 MiB',
            preg_match('/error 6:|resolve host|getaddrinfo/i', $text) === 1 => "ENOTFOUND, {$text}",
            preg_match('/error 7:|refused/i', $text) === 1 => "ECONNREFUSED, {$text}",
            preg_match('/error (35|51|58|60|77|83|90|91):|SSL|TLS|certificate/i', $text) === 1 => "TLS, {$text}",
            preg_match('/reset by peer/i', $text) === 1 => "ECONNRESET, {$text}",
            default => $text,
        };
    }

    /** Seconds of a clock that nobody sets. */
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
