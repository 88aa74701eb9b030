<?php

declare(strict_types=1);

// Where Composer made no vendor folder: Guzzle as Debian packages it, and the SDK's own files.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../php/src/' . strtr(substr($class, strlen('Dispense\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Dispense\\') && is_file($file)) {
        require $file;
    }
});
