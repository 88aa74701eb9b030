// A shop in one file. Each customer gets the data bundle that was paid for, or the money back, and neither twice.
//
//	export DISPENSE_URL=http://127.0.0.1:8080 DISPENSE_KEY=ds_test_… DISPENSE_WEBHOOK_SECRET=whsec_…
//	go run shop.go
//	curl http://127.0.0.1:9000/orders -d '{"reference":"order-1","product_id":1001,"phone":"08031234567"}'
//	curl http://127.0.0.1:9000/orders/order-1
//
// Orders are files in SHOP_FOLDER: your database takes their place. Go 1.19 or newer; nothing to install.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	folder = setting("SHOP_FOLDER", "orders")
	// The service answers within 75 seconds. A shorter time is as safe: no answer is not a failure, see sell.
	client = http.Client{Timeout: seconds("SHOP_TIMEOUT", "75")}
	// So long after an order nothing that sell sent can still be under way.
	giveUp = seconds("SHOP_GIVE_UP", "600")
	lock   sync.Mutex
)

type order struct {
	Reference string `json:"reference"`
	ProductID int    `json:"product_id"`
	Phone     string `json:"phone"`
	State     string `json:"state"`
	Note      string `json:"note"`
	CreatedAt int64  `json:"created_at"`
}

// transaction is what we need of the service's answer; of a refusal it is the code.
type transaction struct {
	Status        string `json:"status"`
	Reference     string `json:"reference"`
	TransactionID string `json:"transaction_id"`
	ErrorCode     string `json:"error_code"`
	Code          string `json:"code"`
}

// ---- Selling

// sell is called when the customer has paid.
func sell(reference string, productID int, phone string) *order {
	// Written down before anything is sent: whatever crashes, the order and its reference are still there.
	if known, isNew := create(reference, productID, phone); !isNew {
		return known
	}
	wish := map[string]any{"product_id": productID, "phone": phone, "reference": reference}
	for attempt := 1; attempt <= 3; attempt++ {
		status, answer := ask("POST", "/data/purchase", wish)
		if status == 201 || status == 202 || status == 422 {
			return settle(reference, answer)
		}
		if answer.Code != "" && status != 500 {
			// Refused: this request bought nothing. One before it without an answer may have; then check finds out.
			if attempt == 1 {
				return end(reference, "refunded", answer.Code)
			}
			return load(reference)
		}
		// A 500 or no answer: it may have been bought. The same reference again is safe, it is never bought twice.
	}
	return load(reference)
}

// check finds out what became of an order that waits. Call it when somebody looks, and every few minutes for all that
// wait.
func check(reference string) *order {
	known := load(reference)
	if known == nil || known.State != "waiting" {
		return known
	}
	status, answer := ask("GET", "/transactions/"+reference, nil)
	if status == 200 {
		return settle(reference, answer)
	}
	if answer.Code == "TRANSACTION_NOT_FOUND" && time.Since(time.Unix(known.CreatedAt, 0)) > giveUp {
		return end(reference, "refunded", "never bought")
	}
	return known
}

// settle does what a transaction says, whoever told it: an answer, a question or a webhook.
func settle(reference string, told transaction) *order {
	switch told.Status {
	case "successful":
		return end(reference, "delivered", told.TransactionID)
	case "failed":
		return end(reference, "refunded", told.ErrorCode)
	}
	return load(reference) // pending: wait. Neither buy it again nor give the money back.
}

// end is the only door to an end, which an order passes once. In a database this is one transaction.
func end(reference, state, note string) *order {
	lock.Lock()
	defer lock.Unlock()
	known := load(reference)
	if known == nil || known.State != "waiting" {
		return known
	}
	if state == "refunded" {
		giveMoneyBack(known)
	}
	known.State, known.Note = state, note
	return save(known)
}

func giveMoneyBack(given *order) {
	refunds, err := os.OpenFile(folder+"/refunds.txt", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	defer refunds.Close()
	_, err = refunds.WriteString(given.Reference + "\n") // your payment provider's refund
	must(err)
}

// ask returns the answer's status and body; 0 and nothing where there was none that can be read.
func ask(method, path string, wish any) (int, transaction) {
	var body io.Reader
	if wish != nil {
		text, err := json.Marshal(wish)
		must(err)
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, os.Getenv("DISPENSE_URL")+"/api/v1/merchant"+path, body)
	must(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("DISPENSE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return 0, transaction{}
	}
	defer response.Body.Close()
	var answer transaction
	if json.NewDecoder(response.Body).Decode(&answer) != nil {
		return 0, transaction{}
	}
	return response.StatusCode, answer
}

// ---- Webhooks

// verifyWebhook tells whether the service sent this body within the last five minutes.
func verifyWebhook(secret, id, timestamp, signatures string, body []byte, now time.Time) bool {
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || sent < now.Unix()-300 || sent > now.Unix()+300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(signatures, " ") {
		if hmac.Equal(expected, []byte(given)) {
			return true
		}
	}
	return false
}

func receive(headers http.Header, body []byte) int {
	secret, id := os.Getenv("DISPENSE_WEBHOOK_SECRET"), headers.Get("webhook-id")
	if !verifyWebhook(secret, id, headers.Get("webhook-timestamp"), headers.Get("webhook-signature"), body, time.Now()) {
		return 401
	}
	var event struct {
		Event string      `json:"event"`
		Mode  string      `json:"mode"`
		Data  transaction `json:"data"`
	}
	must(json.Unmarshal(body, &event))
	// Sandbox events come here as well, and end no order of a live key. Duplicates do no harm, see end.
	isOurs := (event.Mode == "live") == strings.HasPrefix(os.Getenv("DISPENSE_KEY"), "ds_live_")
	if isOurs && (event.Event == "transaction.successful" || event.Event == "transaction.failed") {
		settle(event.Data.Reference, event.Data)
	}
	return 204
}

// ---- Orders, one file each

var reference = regexp.MustCompile(`^[A-Za-z0-9_:-][A-Za-z0-9._:-]{0,99}$`)

func create(name string, productID int, phone string) (*order, bool) {
	lock.Lock()
	defer lock.Unlock()
	if known := load(name); known != nil {
		return known, false
	}
	created := order{Reference: name, ProductID: productID, Phone: phone, State: "waiting", CreatedAt: time.Now().Unix()}
	return save(&created), true
}

func load(name string) *order {
	if !reference.MatchString(name) {
		return nil
	}
	text, err := os.ReadFile(folder + "/" + name + ".json")
	if os.IsNotExist(err) {
		return nil
	}
	must(err)
	var known order
	must(json.Unmarshal(text, &known))
	return &known
}

func save(given *order) *order {
	text, err := json.Marshal(given)
	must(err)
	file := folder + "/" + given.Reference + ".json"
	must(os.WriteFile(file+".new", text, 0o600))
	must(os.Rename(file+".new", file))
	return given
}

// ---- The shop's own web server

func respond(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 65536))
	switch {
	case err != nil:
		w.WriteHeader(413)
	case r.Method == "POST" && r.URL.Path == "/webhooks/dispense":
		w.WriteHeader(receive(r.Header, body))
	case r.Method == "GET" && strings.HasPrefix(r.URL.Path, "/orders/"):
		show(w, check(strings.TrimPrefix(r.URL.Path, "/orders/")))
	case r.Method == "POST" && r.URL.Path == "/orders":
		var wish order
		if json.Unmarshal(body, &wish) != nil || !reference.MatchString(wish.Reference) {
			w.WriteHeader(400)
			return
		}
		show(w, sell(wish.Reference, wish.ProductID, wish.Phone))
	default:
		w.WriteHeader(404)
	}
}

func show(w http.ResponseWriter, known *order) {
	if known == nil {
		w.WriteHeader(404)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	must(json.NewEncoder(w).Encode(known))
}

func setting(name, usual string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return usual
}

func seconds(name, usual string) time.Duration {
	value, err := strconv.ParseFloat(setting(name, usual), 64)
	must(err)
	return time.Duration(value * float64(time.Second))
}

// must ends the request: the web server answers nothing then, and whoever asked tries again.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	must(os.MkdirAll(folder, 0o700))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("SHOP_PORT", "9000"), http.HandlerFunc(respond)))
}
