/** What a failure's code says of the other end, the first that fits. */
const causes: readonly (readonly [code: RegExp, cause: string])[] = [
  [/^CERT_HAS_EXPIRED$/, "the certificate has expired"],
  [/^CERT_NOT_YET_VALID$/, "the certificate is not valid yet"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the certificate is for another name"],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, "the certificate is self-signed"],
  [/CERTIFICATE_REQUIRED/, "the receiver asks for a certificate of ours, and we have none"],
  [
    /^UNABLE_TO_|CERT_IN_CHAIN|CERT_UNTRUSTED/,
    "the certificate is of an authority that is not trusted, or the receiver does not send the certificates between",
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH|RECORD/,
    "the receiver speaks no TLS at this port: plain http, or another protocol",
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, "the receiver does not speak TLS 1.2 or later"],
  [/NO_APPLICATION_PROTOCOL/, "the receiver does not speak HTTP/1.1"],
  [/UNRECOGNIZED_NAME/, "the receiver serves no host of this name"],
  [/HANDSHAKE_FAILURE/, "the receiver has no cipher in common with us, or asks for a certificate of ours"],
  [/^E(HOST|NET)UNREACH$/, "no network leads to the receiver"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "the head of the answer is too long"],
];

/** These say no more than the kind of the failure. */
const plain = /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|UND_ERR_SOCKET)$/;
const causeMax = 200;

/** Why a connection or an answer failed, in words for the people at its other end; null where no more is known. */
export function causeOf(error: Error): string | null {
  // undici tells the parser's reason in its message alone: … (Invalid character in chunk size).
  if (error.name === "HTTPParserError") {
    return `the answer is no HTTP/1.1: ${/\((.*)\)/.exec(error.message)?.[1] ?? error.message}`.slice(0, causeMax);
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || plain.test(code)) return null;
  return causes.find(([pattern]) => pattern.test(code))?.[1] ?? code.slice(0, causeMax);
}
