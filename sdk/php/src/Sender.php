<?php

declare(strict_types=1);

namespace Dispense;

use Dispense\Errors\DispenseException;
use Dispense\Errors\NoAnswerException;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/** Sends calls with the tries that are safe. */
final class Sender
{
    public const VERSION = '1.0.0';

    private const WAITS = [0.5, 1.5, 4.0];
    /** Nobody is held for longer by one Retry-After: what takes longer is the caller's to wait for. */
    private const RETRY_AFTER_MAX = 30.0;

    /**
     * @param \Closure(string, string, array<string, mixed>): void|null $beforePurchase reference, operation and body of
     *     what is about to be bought: keep them, so that a crash loses nothing
     * @param \Closure(float): void|null $sleep seconds
     */
    public function __construct(
        private readonly string $key,
        private readonly string $url,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly LoggerInterface $logger = new NullLogger(),
        private readonly int $attemptsMax = 4,
        private readonly ?\Closure $beforePurchase = null,
        private readonly ?\Closure $sleep = null,
    ) {
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     * @throws DispenseException
     */
    public function send(string $operation, string $method, string $path, string $kind, array $query = [], ?array $body = null): array
    {
        $reference = null;
        if ($kind === 'purchase') {
            $reference = $body['reference'] ??= self::newReference();
            ($this->beforePurchase ?? static fn () => null)($reference, $operation, $body);
        }
        $request = $this->request($method, $path, $query, $body);
        $isRepeatable = $method !== 'POST' || $kind !== 'other';
        // Once an answer stayed away, a later refusal says nothing about the try before it.
        $isUnknown = false;
        for ($attempt = 1; ; $attempt++) {
            $isLast = $attempt >= $this->attemptsMax;
            $this->logger->debug('request', ['operation' => $operation, 'attempt' => $attempt, 'body' => Mask::body($body)]);
            [$status, $answer, $retryAfter, $error] = $this->once($request);
            $facts = ['operation' => $operation, 'attempt' => $attempt, 'status' => $status];
            $this->logger->debug('answer', $facts + ['body' => Mask::body($answer), 'error' => $error?->getMessage()]);
            if ($status !== null && ($status < 400 || $status === 422)) {
                return $answer;
            }
            $hasNoAnswer = $status === null || DispenseException::classOf($status) === NoAnswerException::class;
            $isUnknown = $isUnknown || ($hasNoAnswer && $reference !== null);
            $isAgain = $hasNoAnswer
                ? $isRepeatable
                : in_array($status, [429, 503], true) && ($retryAfter ?? 0) <= self::RETRY_AFTER_MAX;
            if ($isLast || !$isAgain) {
                throw $this->failure($status, $answer, $isUnknown ? 'unknown' : 'no', $reference, $retryAfter, $error);
            }
            $this->wait($attempt, $retryAfter);
        }
    }

    /** A reference nobody else has: the time, then chance. */
    public static function newReference(): string
    {
        return sprintf('ref-%x-%s', (int) (microtime(true) * 1000), bin2hex(random_bytes(8)));
    }

    public function sleep(float $seconds): void
    {
        $this->sleep === null ? usleep((int) ($seconds * 1_000_000)) : ($this->sleep)($seconds);
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    private function request(string $method, string $path, array $query, ?array $body): RequestInterface
    {
        $spelled = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $query);
        $target = "{$this->url}/api/v1/merchant{$path}" . ($spelled === [] ? '' : '?' . http_build_query($spelled));
        $request = $this->requests->createRequest($method, $target)
            ->withHeader('Authorization', "Bearer {$this->key}")
            ->withHeader('Accept', 'application/json')
            ->withHeader('User-Agent', 'dispense-php/' . self::VERSION);
        if ($body === null) {
            return $request;
        }
        $text = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        return $request->withHeader('Content-Type', 'application/json')->withBody($this->streams->createStream($text));
    }

    /** @return array{int|null, array<string, mixed>, float|null, \Throwable|null} */
    private function once(RequestInterface $request): array
    {
        try {
            $response = $this->http->sendRequest($request);
            $status = $response->getStatusCode();
            $body = json_decode((string) $response->getBody(), true);
            // A proxy's own error says nothing about what the service did: every error of the service has a code of letters.
            if (!is_array($body) || ($status >= 400 && !is_string($body['code'] ?? null))) {
                throw new \RuntimeException("HTTP {$status}, not written by the service");
            }
            return [$status, $body, self::retryAfter($response), null];
        } catch (ClientExceptionInterface | \RuntimeException $error) {
            return [null, [], null, $error];
        }
    }

    private static function retryAfter(ResponseInterface $response): ?float
    {
        $text = $response->getHeaderLine('Retry-After');
        return preg_match('/^[0-9]{1,6}$/D', $text) === 1 ? (float) $text : null;
    }

    /**
     * @param array<string, mixed> $answer
     * @param 'no'|'unknown' $charged
     */
    private function failure(?int $status, array $answer, string $charged, ?string $reference, ?float $retryAfter, ?\Throwable $error): DispenseException
    {
        if ($status !== null) {
            return DispenseException::of($status, $answer, $charged, $reference, $retryAfter);
        }
        $advice = $charged === 'unknown'
            ? " {$reference} may have been bought: ask for it before you sell again or give money back."
            : '';
        $message = "No answer: {$error?->getMessage()}.{$advice}";
        return new NoAnswerException($message, 'NO_ANSWER', null, $charged, $reference, previous: $error);
    }

    /** Half of a wait is chance, so that callers who failed together don't come back together. */
    private function wait(int $attempt, ?float $retryAfter): void
    {
        $usual = self::WAITS[min($attempt, count(self::WAITS)) - 1];
        $this->sleep(($retryAfter ?? $usual / 2) + (mt_rand() / mt_getrandmax()) * $usual / 2);
    }
}
