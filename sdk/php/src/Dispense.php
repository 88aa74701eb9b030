<?php

declare(strict_types=1);

namespace Dispense;

use Dispense\Errors\DispenseException;
use Dispense\Errors\NoAnswerException;
use Dispense\Generated\Operations;
use GuzzleHttp\Client;
use GuzzleHttp\Psr7\HttpFactory;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/**
 * The merchant API. One method an operation, named as in the API's reference. A purchase without a `reference` gets one; it
 * is sent again under it where there was no answer, and never under another. What is answered with 422 is no error but a
 * transaction whose `status` is `failed`: its money is back in the wallet.
 *
 * @phpstan-import-type TransactionDetails from Operations
 */
final class Dispense extends Operations
{
    public function __construct(Sender $sender)
    {
        parent::__construct($sender);
    }

    /**
     * A client over Guzzle. For another PSR-18 client make the Sender yourself, and let it wait for 75 seconds.
     *
     * @param string|null $key `ds_test_…` or `ds_live_…`; the variable DISPENSE_KEY unless given
     * @param string|null $url such as https://api.example.com; the variable DISPENSE_URL unless given
     * @param float $timeout seconds for each try: a second one is told at once what became of the first
     * @param \Closure(string, string, array<string, mixed>): void|null $beforePurchase see Sender
     * @param float|null $deadline seconds for a call in all, tries and waits: 25 unless set, as web servers end PHP after 30
     */
    public static function create(
        ?string $key = null,
        ?string $url = null,
        float $timeout = 20.0,
        LoggerInterface $logger = new NullLogger(),
        ?\Closure $beforePurchase = null,
        int $attemptsMax = 4,
        ?float $deadline = null,
    ): self {
        $key ??= (string) getenv('DISPENSE_KEY');
        $url ??= (string) getenv('DISPENSE_URL');
        if (preg_match('/^ds_(test|live)_\w+$/D', $key) !== 1) {
            throw new \ValueError('No API key. Set key or DISPENSE_KEY to one that begins with ds_test_ or ds_live_.');
        }
        if (preg_match('#^https?://#', $url) !== 1) {
            throw new \ValueError('No address. Set url or DISPENSE_URL, such as https://api.example.com.');
        }
        $factory = new HttpFactory();
        return new self(new Sender(
            $key,
            rtrim($url, '/'),
            static fn () => new Client(),
            $factory,
            $factory,
            $logger,
            $attemptsMax,
            $beforePurchase,
            timeout: $timeout,
            deadline: $deadline,
        ));
    }

    /**
     * Asks until a transaction is final, at the times that its answers name, and goes on asking where it is not known yet or
     * no answer comes.
     *
     * @param float $timeout seconds in all
     * @return TransactionDetails
     * @throws DispenseException `charged` is `unknown`: still not known after $timeout, or the key may not ask. After
     *     `PENDING` go on waiting for its webhook
     */
    public function waitFor(string $reference, float $timeout = 600.0): array
    {
        $started = Answer::now();
        $slept = 0.0;
        // All time counts: that of the questions too, and of the sleeps where a test has others than the clock's.
        $left = static function () use ($started, $timeout, &$slept): float {
            return $timeout - max(Answer::now() - $started, $slept);
        };
        for ($asked = 1; ; $asked++) {
            $last = null;
            try {
                $options = new CallOptions(min(10.0, max($left(), 1.0)), 1);
                $transaction = $this->getTransaction($reference, $options);
                if (in_array($transaction['status'], ['successful', 'failed'], true)) {
                    return $transaction;
                }
                $seconds = (float) ($transaction['next_check_after'] ?? 10);
            } catch (DispenseException $last) {
                // What would be answered again is not asked again: it may not be known yet, or nobody be there now.
                $isWorthAsking = in_array($last->status, [null, 404, 429], true) || $last->status >= 500;
                if (!$isWorthAsking || $last->errorCode === 'ABORTED') {
                    throw $last;
                }
                $seconds = $last->retryAfter ?? min(2.0 ** $asked, 10.0);
            }
            $seconds = min(max($seconds, 0.1), $left());
            if ($seconds <= 0) {
                $message = sprintf('%s is still pending after %d seconds. Don’t sell it again.', $reference, $timeout);
                throw $last ?? new NoAnswerException($message, 'PENDING', null, 'unknown', $reference);
            }
            try {
                $this->sender->sleep($seconds);
            } catch (\Throwable $error) {
                throw Sender::stopped($error, new Progress($reference, true));
            }
            $slept += $seconds;
        }
    }

    /** The id of the request that the last answer came by, as our log has it; null where it had none. */
    public function lastRequestId(): ?string
    {
        return $this->sender->lastRequestId();
    }
}
