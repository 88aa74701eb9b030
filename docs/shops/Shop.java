// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_... DISPENSE_WEBHOOK_SECRET=whsec_...
//   java Shop.java
//   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//   curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. Java 17 or newer; nothing to install.
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Shop {
    static final Path FOLDER = Path.of(setting("SHOP_FOLDER", "orders"));
    /** The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see sell(). */
    static final Duration TIMEOUT = Duration.ofSeconds(Long.parseLong(setting("SHOP_TIMEOUT", "75")));
    /** So long after an order nothing that sell() sent can still be under way. */
    static final double GIVE_UP_SECONDS = Double.parseDouble(setting("SHOP_GIVE_UP", "600"));
    static final HttpClient CLIENT = HttpClient.newHttpClient();

    // ---- Selling

    /** Call it when the customer has paid. */
    static Map<String, Object> sell(String reference, Object productId, String phone) throws Exception {
        // Written down before anything is sent: whatever crashes, the order and its reference are still there.
        if (!create(reference, productId, phone)) return load(reference);
        Map<String, Object> wish = Map.of("product_id", productId, "phone", phone, "reference", reference);
        for (int attempt = 1; attempt <= 3; attempt++) {
            Answer answer = ask("POST", "/data/purchase", Json.write(wish));
            if (List.of(201, 202, 422).contains(answer.status)) return settle(reference, answer.body);
            if (answer.body.containsKey("code") && answer.status != 500) {
                // Refused: this request bought nothing. One before it without an answer may have; then check() finds out.
                return attempt == 1 ? end(reference, "refunded", answer.body.get("code")) : load(reference);
            }
            // A 500 or no answer: it may have been bought. The same reference again is safe, it is never bought twice.
        }
        return load(reference);
    }

    /** What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait. */
    static Map<String, Object> check(String reference) throws Exception {
        Map<String, Object> order = load(reference);
        if (order == null || !order.get("state").equals("waiting")) return order;
        Answer answer = ask("GET", "/transactions/" + reference, null);
        if (answer.status == 200) return settle(reference, answer.body);
        double age = now() - ((Number) order.get("created_at")).doubleValue();
        boolean isUnknown = "TRANSACTION_NOT_FOUND".equals(answer.body.get("code"));
        if (isUnknown && age > GIVE_UP_SECONDS) return end(reference, "refunded", "never bought");
        return order;
    }

    /** What a transaction says, whoever told it: an answer, a question or a webhook. */
    static Map<String, Object> settle(String reference, Map<String, Object> transaction) throws IOException {
        Object status = transaction.get("status");
        if (status.equals("successful")) return end(reference, "delivered", transaction.get("transaction_id"));
        if (status.equals("failed")) return end(reference, "refunded", transaction.get("error_code"));
        return load(reference); // pending: wait. Neither buy it again nor give the money back.
    }

    /** The only door to an end, which an order passes once. In a database this is one transaction. */
    static synchronized Map<String, Object> end(String reference, String state, Object note) throws IOException {
        Map<String, Object> order = load(reference);
        if (order == null || !order.get("state").equals("waiting")) return order;
        if (state.equals("refunded")) giveMoneyBack(reference);
        order.put("state", state);
        order.put("note", note);
        return save(order);
    }

    static void giveMoneyBack(String reference) throws IOException {
        // Your payment provider's refund.
        Path refunds = FOLDER.resolve("refunds.txt");
        Files.writeString(refunds, reference + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    record Answer(int status, Map<String, Object> body) {}

    /** The answer's status and body; 0 and nothing where there was none that can be read. */
    static Answer ask(String method, String path, String body) throws InterruptedException {
        URI url = URI.create(System.getenv("DISPENSE_URL") + "/api/v1/merchant" + path);
        HttpRequest request = HttpRequest.newBuilder(url)
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + System.getenv("DISPENSE_KEY"))
                .header("Content-Type", "application/json")
                .method(method, body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), Json.readObject(response.body()));
        } catch (IOException | RuntimeException unreadable) {
            return new Answer(0, Map.of());
        }
    }

    // ---- Webhooks

    static int receive(HttpExchange exchange, byte[] body) throws GeneralSecurityException, IOException {
        String secret = System.getenv("DISPENSE_WEBHOOK_SECRET");
        String id = header(exchange, "webhook-id");
        String timestamp = header(exchange, "webhook-timestamp");
        String signatures = header(exchange, "webhook-signature");
        if (!WebhookSignature.verify(secret, id, timestamp, signatures, body, Instant.now())) return 401;
        Map<String, Object> event = Json.readObject(new String(body, StandardCharsets.UTF_8));
        // Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see end().
        String ourMode = System.getenv("DISPENSE_KEY").startsWith("ds_live_") ? "live" : "test";
        boolean isEnd = List.of("transaction.successful", "transaction.failed").contains(event.get("event"));
        if (isEnd && ourMode.equals(event.get("mode"))) {
            @SuppressWarnings("unchecked")
            Map<String, Object> transaction = (Map<String, Object>) event.get("data");
            settle((String) transaction.get("reference"), transaction);
        }
        return 204;
    }

    static String header(HttpExchange exchange, String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    // ---- Orders, one file each

    static boolean isReference(String text) {
        return text.matches("[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}");
    }

    static synchronized boolean create(String reference, Object productId, String phone) throws IOException {
        if (load(reference) != null) return false;
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("reference", reference);
        order.put("product_id", productId);
        order.put("phone", phone);
        order.put("state", "waiting");
        order.put("note", "");
        order.put("created_at", now());
        save(order);
        return true;
    }

    static Map<String, Object> load(String reference) throws IOException {
        Path file = FOLDER.resolve(reference + ".json");
        return isReference(reference) && Files.exists(file) ? Json.readObject(Files.readString(file)) : null;
    }

    static Map<String, Object> save(Map<String, Object> order) throws IOException {
        Path written = FOLDER.resolve(order.get("reference") + ".new");
        Files.writeString(written, Json.write(order));
        Files.move(written, FOLDER.resolve(order.get("reference") + ".json"), StandardCopyOption.ATOMIC_MOVE);
        return order;
    }

    static long now() {
        return Instant.now().getEpochSecond();
    }

    // ---- The shop's own web server

    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(FOLDER);
        int port = Integer.parseInt(setting("SHOP_PORT", "9000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", exchange -> {
            try (exchange) {
                respond(exchange);
            } catch (Exception fault) {
                fault.printStackTrace();
            }
        });
        server.start();
    }

    static void respond(HttpExchange exchange) throws Exception {
        String path = exchange.getRequestURI().getPath();
        boolean isPost = exchange.getRequestMethod().equals("POST");
        byte[] body = exchange.getRequestBody().readNBytes(65_537);
        if (body.length > 65_536) {
            answer(exchange, 413, null);
        } else if (isPost && path.equals("/webhooks/dispense")) {
            answer(exchange, receive(exchange, body), null);
        } else if (!isPost && path.startsWith("/orders/")) {
            Map<String, Object> order = check(path.substring("/orders/".length()));
            answer(exchange, order == null ? 404 : 200, order);
        } else if (isPost && path.equals("/orders")) {
            Map<String, Object> wish = Json.readObject(new String(body, StandardCharsets.UTF_8));
            String reference = (String) wish.get("reference");
            if (!isReference(reference)) answer(exchange, 400, null);
            else answer(exchange, 200, sell(reference, wish.get("product_id"), (String) wish.get("phone")));
        } else {
            answer(exchange, 404, null);
        }
    }

    static void answer(HttpExchange exchange, int status, Map<String, Object> body) throws IOException {
        byte[] text = body == null ? new byte[0] : Json.write(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
        exchange.getResponseBody().write(text);
    }

    static String setting(String name, String usual) {
        String value = System.getenv(name);
        return value == null ? usual : value;
    }
}

final class WebhookSignature {
    /** Whether the service sent this body within the last five minutes. */
    static boolean verify(String secret, String id, String timestamp, String signatures, byte[] body, Instant now)
            throws GeneralSecurityException {
        if (!timestamp.matches("[0-9]{1,12}")
                || Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 300) {
            return false;
        }
        byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String signature = Base64.getEncoder().encodeToString(mac.doFinal(body));
        byte[] expected = ("v1," + signature).getBytes(StandardCharsets.UTF_8);
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
                return true;
            }
        }
        return false;
    }
}

/** Java brings no JSON: the library of your choice takes this one's place. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> readObject(String text) {
        return (Map<String, Object>) new Json(text).value();
    }

    static String write(Map<String, Object> object) {
        List<String> fields = new ArrayList<>();
        object.forEach((name, value) -> fields.add(quoted(name) + ":" + (value instanceof Number ? value : quoted("" + value))));
        return "{" + String.join(",", fields) + "}";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c < ' ' || c == '"' || c == '\\') quoted.append(String.format("\\u%04x", (int) c));
            else quoted.append(c);
        }
        return quoted.append('"').toString();
    }

    private Object value() {
        switch (next()) {
            case '{': return object();
            case '[': return list();
            case '"': return string();
            case 't': return word("rue", true);
            case 'f': return word("alse", false);
            case 'n': return word("ull", null);
            default: return number();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        for (char c = next(); c != '}'; c = next()) {
            if (c == ',') c = next();
            if (c != '"') throw new IllegalArgumentException("not JSON");
            String name = string();
            if (next() != ':') throw new IllegalArgumentException("not JSON");
            object.put(name, value());
        }
        return object;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        for (char c = next(); c != ']'; c = next()) {
            if (c != ',') at--;
            list.add(value());
        }
        return list;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            if (c != '\\') {
                string.append(c);
                continue;
            }
            c = text.charAt(at++);
            int escape = "bfnrt".indexOf(c);
            if (c == 'u') string.append((char) Integer.parseInt(text.substring(at, at += 4), 16));
            else string.append(escape < 0 ? c : "\b\f\n\r\t".charAt(escape));
        }
        return string.toString();
    }

    private Object number() {
        int from = --at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
        String number = text.substring(from, at);
        if (number.matches("-?[0-9]{1,18}")) return Long.parseLong(number);
        return Double.parseDouble(number);
    }

    private Object word(String rest, Object value) {
        if (!text.startsWith(rest, at)) throw new IllegalArgumentException("not JSON");
        at += rest.length();
        return value;
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at++);
    }
}
