<?php

declare(strict_types=1);

namespace Dispense\Errors;

/** Any call that did not work out. Each class beside it is one kind. */
class DispenseException extends \RuntimeException
{
    /**
     * @param string $errorCode the API's own code, such as INSUFFICIENT_BALANCE; NO_ANSWER where there was none, ABORTED where it was stopped
     * @param int|null $status null where there was no answer
     * @param 'no'|'unknown' $charged `no`: this call charged nothing, and its reference may be used again. `unknown`: an
     *     attempt, or a question about a purchase, had no answer, so it may have been bought; neither sell it again under another reference nor give
     *     money back, but ask for $reference
     * @param string|null $reference of the purchase that the call made or asked about; null where it is about none
     * @param array<string, list<string>> $fields sentences by field
     * @param array<string, mixed> $meta numbers that help, such as `required` and `balance`
     * @param float|null $retryAfter seconds after which it is worth trying again
     */
    public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly ?int $status,
        public readonly string $charged,
        public readonly ?string $reference,
        public readonly ?string $requestId = null,
        public readonly ?string $docUrl = null,
        public readonly array $fields = [],
        public readonly array $meta = [],
        public readonly ?float $retryAfter = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status ?? 0, $previous);
    }

    /**
     * The exception of an answer.
     *
     * @param array<string, mixed> $body
     * @param 'no'|'unknown' $charged
     */
    public static function of(int $status, array $body, string $charged, ?string $reference, ?float $retryAfter): self
    {
        $class = self::classOf($status);
        return new $class(
            (string) ($body['message'] ?? "HTTP {$status}"),
            (string) ($body['code'] ?? "HTTP_{$status}"),
            $status,
            $charged,
            $reference,
            $body['request_id'] ?? null,
            $body['doc_url'] ?? null,
            $body['errors'] ?? [],
            $body['meta'] ?? [],
            $retryAfter,
        );
    }

    /**
     * The class of an answer by its status.
     *
     * @return class-string<self>
     */
    public static function classOf(int $status): string
    {
        return match (true) {
            $status === 401, $status === 403 => AccessException::class,
            $status === 402 => InsufficientBalanceException::class,
            $status === 409 => ConflictException::class,
            $status === 429 => RateLimitException::class,
            $status === 502, $status === 503 => UnavailableException::class,
            $status < 500 => InvalidRequestException::class,
            default => NoAnswerException::class,
        };
    }
}
