<?php

declare(strict_types=1);

namespace Dispense;

use GuzzleHttp\Client;
use GuzzleHttp\Psr7\DroppingStream;
use GuzzleHttp\Psr7\Utils;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** The HTTP client of this process. After a fork both would read each other's answers from the connections that were open. */
final class Connections
{
    private ClientInterface $client;
    private int $process;
    private bool $isUsed = false;
    private bool $isInherited = false;
    /** @var list<ClientInterface> those of the processes before: closing them here would end connections that are used there */
    private array $inherited = [];

    /** @param ClientInterface|\Closure(): ClientInterface $http */
    public function __construct(private readonly ClientInterface|\Closure $http)
    {
        $this->client = $http instanceof \Closure ? $http() : $http;
        $this->process = (int) getmypid();
    }

    /** @throws Unanswered */
    public function send(RequestInterface $request, float $seconds): ResponseInterface
    {
        $this->adopt();
        try {
            if (!$this->client instanceof Client) {
                return $this->client->sendRequest($request);
            }
            $isFresh = $this->isInherited && extension_loaded('curl');
            $fresh = $isFresh ? ['curl' => [CURLOPT_FRESH_CONNECT => true, CURLOPT_FORBID_REUSE => true]] : [];
            return $this->client->send($request, [
                'timeout' => $seconds,
                'connect_timeout' => min(10.0, $seconds),
                'read_timeout' => $seconds,
                'allow_redirects' => false,
                'http_errors' => false,
                // Without curl nothing else ends an answer that drips in, see Answer.
                'stream' => !extension_loaded('curl'),
                'sink' => new DroppingStream(Utils::streamFor(fopen('php://temp', 'r+')), Answer::BODY_BYTES_MAX + 1),
            ] + $fresh);
        } catch (ClientExceptionInterface $error) {
            throw new Unanswered(Answer::causeOf($error, $seconds), null, $error);
        }
    }

    private function adopt(): void
    {
        $process = (int) getmypid();
        if ($process !== $this->process && $this->isUsed) {
            if ($this->http instanceof \Closure) {
                $this->inherited[] = $this->client;
                $this->client = ($this->http)();
            } elseif ($this->client instanceof Client) {
                $this->isInherited = true;
            } else {
                throw new \LogicException('This process was forked after its HTTP client was used. Make Dispense with a new one.');
            }
        }
        $this->process = $process;
        $this->isUsed = true;
    }
}
