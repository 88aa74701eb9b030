// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//   export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//   dotnet run           (in a folder that `dotnet new console` made, with this in place of its Program.cs)
//   curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//   curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. .NET 8 or newer; nothing to install.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

static class Shop
{
    static readonly string Folder = Setting("SHOP_FOLDER", "orders");
    // So long after an order nothing that Sell() sent can still be under way.
    static readonly double GiveUpSeconds = Number(Setting("SHOP_GIVE_UP", "600"));
    static readonly object Lock = new object();
    static readonly HttpClient Client = new HttpClient
    {
        // The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see Sell().
        Timeout = TimeSpan.FromSeconds(Number(Setting("SHOP_TIMEOUT", "75"))),
    };

    // ---- Selling

    /// <summary>Call it when the customer has paid.</summary>
    static async Task<JsonObject> Sell(string reference, int productId, string phone)
    {
        // Written down before anything is sent: whatever crashes, the order and its reference are still there.
        if (!Create(reference, productId, phone)) return Load(reference);
        JsonObject wish = new JsonObject { ["product_id"] = productId, ["phone"] = phone, ["reference"] = reference };
        for (int attempt = 1; attempt <= 3; attempt++)
        {
            (int status, JsonObject answer) = await Ask(HttpMethod.Post, "/data/purchase", wish.ToJsonString());
            if (status == 201 || status == 202 || status == 422) return Settle(reference, answer);
            if (Text(answer, "code") != "" && status != 500)
            {
                // Refused: this request bought nothing. One before it without an answer may have; then Check() finds out.
                return attempt == 1 ? End(reference, "refunded", Text(answer, "code")) : Load(reference);
            }
            // A 500 or no answer: it may have been bought. The same reference again is safe, it is never bought twice.
        }
        return Load(reference);
    }

    /// <summary>
    /// What became of an order that waits. Call it when somebody looks, and every few minutes for all that wait.
    /// </summary>
    static async Task<JsonObject> Check(string reference)
    {
        JsonObject order = Load(reference);
        if (order == null || Text(order, "state") != "waiting") return order;
        (int status, JsonObject answer) = await Ask(HttpMethod.Get, "/transactions/" + reference, null);
        if (status == 200) return Settle(reference, answer);
        bool isUnknown = Text(answer, "code") == "TRANSACTION_NOT_FOUND";
        if (isUnknown && Now() - Number(Text(order, "created_at")) > GiveUpSeconds)
        {
            return End(reference, "refunded", "never bought");
        }
        return order;
    }

    /// <summary>What a transaction says, whoever told it: an answer, a question or a webhook.</summary>
    static JsonObject Settle(string reference, JsonObject transaction)
    {
        switch (Text(transaction, "status"))
        {
            case "successful": return End(reference, "delivered", Text(transaction, "transaction_id"));
            case "failed": return End(reference, "refunded", Text(transaction, "error_code"));
            default: return Load(reference); // pending: wait. Neither buy it again nor give the money back.
        }
    }

    /// <summary>The only door to an end, which an order passes once. In a database this is one transaction.</summary>
    static JsonObject End(string reference, string state, string note)
    {
        lock (Lock)
        {
            JsonObject order = Load(reference);
            if (order == null || Text(order, "state") != "waiting") return order;
            if (state == "refunded") GiveMoneyBack(reference);
            order["state"] = state;
            order["note"] = note;
            return Save(order);
        }
    }

    static void GiveMoneyBack(string reference)
    {
        File.AppendAllText(Path.Combine(Folder, "refunds.txt"), reference + "\n"); // your payment provider's refund
    }

    /// <summary>The answer's status and body; 0 and nothing where there was none that can be read.</summary>
    static async Task<(int, JsonObject)> Ask(HttpMethod method, string path, string body)
    {
        string url = Environment.GetEnvironmentVariable("DISPENSE_URL") + "/api/v1/merchant" + path;
        using (HttpRequestMessage request = new HttpRequestMessage(method, url))
        {
            request.Headers.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("DISPENSE_KEY"));
            if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
            try
            {
                using (HttpResponseMessage response = await Client.SendAsync(request))
                {
                    string text = await response.Content.ReadAsStringAsync();
                    return ((int)response.StatusCode, JsonNode.Parse(text).AsObject());
                }
            }
            catch (Exception)
            {
                return (0, new JsonObject());
            }
        }
    }

    // ---- Webhooks

    static int Receive(HttpListenerRequest request, byte[] body)
    {
        string secret = Environment.GetEnvironmentVariable("DISPENSE_WEBHOOK_SECRET");
        string id = request.Headers["webhook-id"] ?? "";
        string timestamp = request.Headers["webhook-timestamp"] ?? "";
        string signatures = request.Headers["webhook-signature"] ?? "";
        if (!WebhookSignature.Verify(secret, id, timestamp, signatures, body, DateTimeOffset.UtcNow)) return 401;
        JsonObject told = JsonNode.Parse(Encoding.UTF8.GetString(body)).AsObject();
        string name = Text(told, "event");
        // Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see End().
        string ourMode = Environment.GetEnvironmentVariable("DISPENSE_KEY").StartsWith("ds_live_") ? "live" : "test";
        if (Text(told, "mode") != ourMode) return 204;
        if (name == "transaction.successful" || name == "transaction.failed")
        {
            JsonObject transaction = told["data"].AsObject();
            Settle(Text(transaction, "reference"), transaction);
        }
        return 204;
    }

    // ---- Orders, one file each

    static string FileOf(string reference)
    {
        return Regex.IsMatch(reference, @"\A[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}\z")
            ? Path.Combine(Folder, reference + ".json")
            : null;
    }

    static bool Create(string reference, int productId, string phone)
    {
        lock (Lock)
        {
            if (Load(reference) != null) return false;
            Save(new JsonObject
            {
                ["reference"] = reference,
                ["product_id"] = productId,
                ["phone"] = phone,
                ["state"] = "waiting",
                ["note"] = "",
                ["created_at"] = Now(),
            });
            return true;
        }
    }

    static JsonObject Load(string reference)
    {
        string file = FileOf(reference);
        return file != null && File.Exists(file) ? JsonNode.Parse(File.ReadAllText(file)).AsObject() : null;
    }

    static JsonObject Save(JsonObject order)
    {
        string file = FileOf(Text(order, "reference"));
        File.WriteAllText(file + ".new", order.ToJsonString());
        if (File.Exists(file)) File.Replace(file + ".new", file, null);
        else File.Move(file + ".new", file);
        return order;
    }

    /// <summary>A field as text, whatever its type; empty where it is missing.</summary>
    static string Text(JsonObject item, string field)
    {
        return item[field] == null ? "" : item[field].ToString();
    }

    static long Now()
    {
        return DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    }

    static double Number(string text)
    {
        return double.Parse(text, CultureInfo.InvariantCulture);
    }

    static string Setting(string name, string usual)
    {
        return Environment.GetEnvironmentVariable(name) ?? usual;
    }

    // ---- The shop's own web server

    static void Main()
    {
        Directory.CreateDirectory(Folder);
        HttpListener listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + Setting("SHOP_PORT", "9000") + "/");
        listener.Start();
        while (true)
        {
            HttpListenerContext context = listener.GetContext();
            Task.Run(() => Handle(context));
        }
    }

    static async Task Handle(HttpListenerContext context)
    {
        JsonObject answer = null;
        try
        {
            if (context.Request.ContentLength64 > 65536) throw new InvalidDataException("too long a body");
            MemoryStream body = new MemoryStream();
            await context.Request.InputStream.CopyToAsync(body);
            int status;
            (status, answer) = await Respond(context.Request, body.ToArray());
            context.Response.StatusCode = status;
        }
        catch (Exception fault)
        {
            Console.Error.WriteLine(fault);
            context.Response.StatusCode = 500;
        }
        byte[] text = answer == null ? new byte[0] : Encoding.UTF8.GetBytes(answer.ToJsonString());
        context.Response.ContentType = "application/json";
        context.Response.Close(text, false);
    }

    static async Task<(int, JsonObject)> Respond(HttpListenerRequest request, byte[] body)
    {
        string path = request.Url.AbsolutePath;
        bool isPost = request.HttpMethod == "POST";
        if (isPost && path == "/webhooks/dispense") return (Receive(request, body), null);
        if (!isPost && path.StartsWith("/orders/"))
        {
            JsonObject order = await Check(path.Substring("/orders/".Length));
            return (order == null ? 404 : 200, order);
        }
        if (isPost && path == "/orders")
        {
            JsonObject wish = JsonNode.Parse(Encoding.UTF8.GetString(body)).AsObject();
            string reference = Text(wish, "reference");
            if (FileOf(reference) == null) return (400, null);
            JsonObject order = await Sell(reference, (int)Number(Text(wish, "product_id")), Text(wish, "phone"));
            return (200, order);
        }
        return (404, null);
    }
}

static class WebhookSignature
{
    /// <summary>Whether the service sent this body within the last five minutes.</summary>
    public static bool Verify(
        string secret, string id, string timestamp, string signatures, byte[] body, DateTimeOffset now)
    {
        long seconds = now.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, out long sent) || sent < seconds - 300 || sent > seconds + 300)
        {
            return false;
        }
        byte[] key = Convert.FromBase64String(secret.Replace("whsec_", ""));
        byte[] head = Encoding.UTF8.GetBytes(id + "." + timestamp + ".");
        byte[] signed = new byte[head.Length + body.Length];
        head.CopyTo(signed, 0);
        body.CopyTo(signed, head.Length);
        byte[] expected;
        using (HMACSHA256 hmac = new HMACSHA256(key))
        {
            expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
        }
        foreach (string given in signatures.Split(' '))
        {
            if (CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(given)))
            {
                return true;
            }
        }
        return false;
    }
}
