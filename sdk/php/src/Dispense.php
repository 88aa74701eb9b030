<?php

declare(strict_types=1);

namespace Dispense;

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
     * @param float $timeout seconds for each try, by the contract
     * @param \Closure(string, string, array<string, mixed>): void|null $beforePurchase see Sender
     */
    public static function create(
        ?string $key = null,
        ?string $url = null,
        float $timeout = 75.0,
        LoggerInterface $logger = new NullLogger(),
        ?\Closure $beforePurchase = null,
    ): self {
        $key ??= (string) getenv('DISPENSE_KEY');
        $url ??= (string) getenv('DISPENSE_URL');
        if (preg_match('/^ds_(test|live)_/', $key) !== 1) {
            throw new \ValueError('No API key. Set key or DISPENSE_KEY to one that begins with ds_test_ or ds_live_.');
        }
        if (preg_match('#^https?://#', $url) !== 1) {
            throw new \ValueError('No address. Set url or DISPENSE_URL, such as https://api.example.com.');
        }
        $http = new Client(['timeout' => $timeout, 'connect_timeout' => 10, 'allow_redirects' => false]);
        $factory = new HttpFactory();
        return new self(new Sender($key, rtrim($url, '/'), $http, $factory, $factory, $logger, beforePurchase: $beforePurchase));
    }

    /**
     * Asks until a transaction is final, at the times that its answers name.
     *
     * @return array<string, mixed>
     * @throws NoAnswerException `charged` is `unknown`, where it is still pending after $timeout seconds: go on waiting for
     *     its webhook
     */
    public function waitFor(string $reference, float $timeout = 600.0): array
    {
        for ($waited = 0.0; ; ) {
            $transaction = $this->getTransaction($reference);
            if ($transaction['status'] !== 'pending') {
                return $transaction;
            }
            $seconds = min((float) ($transaction['next_check_after'] ?? 10), $timeout - $waited);
            if ($seconds <= 0) {
                $message = sprintf('%s is still pending after %d seconds. Don’t sell it again.', $reference, $timeout);
                throw new NoAnswerException($message, 'PENDING', null, 'unknown', $reference);
            }
            $this->sender->sleep($seconds);
            $waited += $seconds;
        }
    }
}
