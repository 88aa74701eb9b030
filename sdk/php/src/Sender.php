<?php

declare(strict_types=1);

namespace Dispense;

use Dispense\Errors\DispenseException;
use Dispense\Errors\NoAnswerException;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
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
    /** So many references whose end is unknown are remembered. */
    private const UNKNOWN_MAX = 10_000;

    private readonly Connections $connections;
    private readonly float $deadline;
    /** @var array<string, true> references that a call left unknown: a later call's refusal says nothing about it */
    private array $unknown = [];
    /** Of the call that is under way. */
    private ?Progress $progress = null;
    private ?string $lastRequestId = null;

    /**
     * @param ClientInterface|\Closure(): ClientInterface $http a client, or what makes one for each process
     * @param \Closure(string, string, array<string, mixed>): void|null $beforePurchase reference, operation and body of
     *     what is about to be bought: keep them, so that a crash loses nothing
     * @param \Closure(float): void|null $sleep seconds
     * @param float $timeout seconds for each try; another client than Guzzle's has to bound its tries itself
     * @param float|null $deadline seconds for a call in all, tries and waits; 25 unless set, or $timeout where that is longer
     */
    public function __construct(
        private readonly string $key,
        private readonly string $url,
        ClientInterface|\Closure $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly LoggerInterface $logger = new NullLogger(),
        private readonly int $attemptsMax = 4,
        private readonly ?\Closure $beforePurchase = null,
        private readonly ?\Closure $sleep = null,
        private readonly float $timeout = 20.0,
        ?float $deadline = null,
    ) {
        $this->connections = new Connections($http);
        $this->deadline = $deadline ?? max(25.0, $timeout);
        // A time limit ends PHP without an exception: what was under way is at least in the log.
        $self = \WeakReference::create($this);
        register_shutdown_function(static fn () => $self->get()?->logStopped());
    }

    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @param list<string> $fields what the answer always has, where it is known by no reference
     * @param string|null $reference of a purchase that is asked about
     * @return array<string, mixed>
     * @throws DispenseException
     */
    public function send(
        string $operation,
        string $method,
        string $path,
        string $kind,
        array $query = [],
        ?array $body = null,
        array $fields = [],
        ?string $reference = null,
        ?CallOptions $options = null,
    ): array {
        if ($kind === 'purchase') {
            $reference = $body['reference'] ??= self::newReference();
        }
        $request = $this->request($method, $path, $query, $body);
        if ($kind === 'purchase') {
            ($this->beforePurchase ?? static fn () => null)($reference, $operation, $body);
        }
        $isRepeatable = $method !== 'POST' || $kind !== 'other';
        $progress = new Progress($reference, $kind === 'lookup' || isset($this->unknown[$reference ?? '']));
        $this->progress = $progress;
        try {
            $facts = ['operation' => $operation, 'body' => Mask::body($body)];
            $answer = $this->tried($request, $facts, $fields, $isRepeatable, $progress, $options ?? new CallOptions());
            unset($this->unknown[$reference ?? '']);
            return $answer;
        } catch (\Throwable $error) {
            if ($kind === 'purchase' && $progress->isUnknown) {
                $this->unknown = array_slice($this->unknown + [$reference => true], -self::UNKNOWN_MAX, null, true);
            }
            throw $error instanceof DispenseException ? $error : self::stopped($error, $progress);
        } finally {
            $this->progress = null;
        }
    }

    /**
     * @param array<string, mixed> $facts for the log
     * @param list<string> $fields
     * @return array<string, mixed>
     * @throws DispenseException
     */
    private function tried(RequestInterface $request, array $facts, array $fields, bool $isRepeatable, Progress $progress, CallOptions $options): array
    {
        $until = Answer::now() + ($options->deadline ?? ($options->timeout === null ? $this->deadline : max($this->deadline, $options->timeout)));
        for ($attempt = 1; ; $attempt++) {
            // While a try is under way nobody knows, and once an answer stayed away, a later refusal says nothing about it.
            $wasUnknown = $progress->isUnknown;
            $progress->isUnknown = $wasUnknown || $progress->reference !== null;
            $this->logger->debug('request', ['attempt' => $attempt] + $facts);
            $seconds = max(0.001, min($options->timeout ?? $this->timeout, $until - Answer::now()));
            $ends = Answer::now() + $seconds;
            try {
                $response = $this->connections->send($request, $seconds);
                $answer = Answer::read($response, $progress->reference, $fields, $ends);
                $this->lastRequestId = $answer->requestId;
                $said = ['attempt' => $attempt, 'status' => $answer->status, 'requestId' => $answer->requestId];
                $this->logger->debug('answer', $said + ['body' => Mask::body($answer->body)] + $facts);
                if (!$answer->isError) {
                    return $answer->body;
                }
                $isRefusal = DispenseException::classOf($answer->status) !== NoAnswerException::class;
                $progress->isUnknown = $isRefusal ? $wasUnknown : $progress->isUnknown;
                $isAgain = $isRefusal ? in_array($answer->status, [429, 503], true) : $isRepeatable;
                $error = DispenseException::of($answer->status, $answer->body, $progress->charged(), $progress->reference, $answer->retryAfter);
            } catch (Unanswered $none) {
                $this->logger->warning('no answer', ['attempt' => $attempt, 'error' => $none->getMessage()] + $facts);
                $isAgain = $isRepeatable;
                $message = "No answer: {$none->getMessage()}.{$progress->advice()}";
                $error = new NoAnswerException($message, 'NO_ANSWER', null, $progress->charged(), $progress->reference, retryAfter: $none->retryAfter, previous: $none);
            }
            $wait = $this->waitOf($attempt, $error->retryAfter);
            $isLate = ($error->retryAfter ?? 0) > self::RETRY_AFTER_MAX || Answer::now() + $wait >= $until;
            if (!$isAgain || $isLate || $attempt >= ($options->attemptsMax ?? $this->attemptsMax)) {
                throw $error;
            }
            $this->sleep($wait);
        }
    }

    /** The id of the request that the last answer came by, as our log has it; null where it had none. */
    public function lastRequestId(): ?string
    {
        return $this->lastRequestId;
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

    /** What ended a call from outside, such as an exception of a signal's handler. */
    public static function stopped(\Throwable $error, Progress $progress): NoAnswerException
    {
        $message = "Stopped: {$error->getMessage()}.{$progress->advice()}";
        return new NoAnswerException($message, 'ABORTED', null, $progress->charged(), $progress->reference, previous: $error);
    }

    private function logStopped(): void
    {
        if ($this->progress?->reference === null) {
            return;
        }
        $message = "Dispense: PHP was stopped.{$this->progress->advice()}";
        $facts = ['reference' => $this->progress->reference, 'charged' => $this->progress->charged()];
        $this->logger instanceof NullLogger ? error_log($message) : $this->logger->critical($message, $facts);
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
            ->withHeader('Cache-Control', 'no-cache')
            ->withHeader('User-Agent', 'dispense-php/' . self::VERSION);
        if ($body === null) {
            return $request;
        }
        $text = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        return $request->withHeader('Content-Type', 'application/json')->withBody($this->streams->createStream($text));
    }

    /** Half of a wait is chance, so that callers who failed together don't come back together. */
    private function waitOf(int $attempt, ?float $retryAfter): float
    {
        $usual = self::WAITS[min($attempt, count(self::WAITS)) - 1];
        return ($retryAfter ?? $usual / 2) + (mt_rand() / mt_getrandmax()) * $usual / 2;
    }
}
