"""Generated from docs/openapi.json by `npm run generate`."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, Iterator, List, Literal, Mapping, Optional, Union
from urllib.parse import quote

from ..pages import each, each_async
from ..sender import AsyncSender, Sender
from ..tries import Call
from . import types as api

_omit: Any = object()


def _given(**fields: Any) -> Dict[str, Any]:
    return {name.rstrip("_"): value for name, value in fields.items() if value is not _omit}


class Operations:
    """Every operation of the merchant API, named as in its reference, in snake case."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def get_wallet_balance(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WalletBalance:
        """Read the wallet's balance."""
        return self._sender.send(Call(
            "getWalletBalance",
            "GET",
            "/wallet/balance",
            "other",
            query=None,
            body=None,
            fields=("balance",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def reset_sandbox(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SandboxReset:
        """Reset the sandbox wallet."""
        return self._sender.send(Call(
            "resetSandbox",
            "POST",
            "/sandbox/reset",
            "other",
            query=None,
            body=None,
            fields=("balance",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def get_wallet_statement(
        self,
        *,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WalletStatement:
        """Read the wallet's statement."""
        return self._sender.send(Call(
            "getWalletStatement",
            "GET",
            "/wallet/statement",
            "other",
            query=_given(from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("entries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_wallet_statement(
        self,
        *,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[api.WalletEntry]:
        """Read the wallet's statement, item by item, page after page."""
        return each(self._sender, Call(
            "getWalletStatement",
            "GET",
            "/wallet/statement",
            "other",
            query=_given(from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("entries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "entries")

    def list_funding_accounts(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.FundingAccounts:
        """List your receiving accounts."""
        return self._sender.send(Call(
            "listFundingAccounts",
            "GET",
            "/wallet/funding-accounts",
            "other",
            query=None,
            body=None,
            fields=("accounts",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def request_funding_accounts(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.FundingAccounts:
        """Request your receiving accounts."""
        return self._sender.send(Call(
            "requestFundingAccounts",
            "POST",
            "/wallet/funding-accounts",
            "other",
            query=None,
            body=None,
            fields=("accounts",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_billers(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BillerList:
        """List billers."""
        return self._sender.send(Call(
            "listBillers",
            "GET",
            "/billers",
            "other",
            query=_given(category=category, q=q),
            body=None,
            fields=("billers",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_products(
        self,
        slug: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ProductList:
        """List a biller's products."""
        return self._sender.send(Call(
            "listProducts",
            "GET",
            f"/billers/{quote(slug, safe='')}/products",
            "other",
            query=None,
            body=None,
            fields=("biller",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_denominations(
        self,
        *,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DenominationList:
        """List recharge card denominations."""
        return self._sender.send(Call(
            "listDenominations",
            "GET",
            "/recharge-pin/denominations",
            "other",
            query=_given(network=network),
            body=None,
            fields=("denominations",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def verify_meter(
        self,
        *,
        meter_number: api.MeterNumberInput,
        meter_type: Literal["prepaid", "postpaid"],
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyMeterResult:
        """Verify a meter."""
        return self._sender.send(Call(
            "verifyMeter",
            "POST",
            "/electricity/verify",
            "verify",
            query=None,
            body=_given(product_id=product_id, biller=biller, meter_number=meter_number, meter_type=meter_type),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def verify_smartcard(
        self,
        *,
        biller: api.BillerInput,
        smartcard_number: api.SmartcardNumberInput,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifySmartcardResult:
        """Verify a smartcard."""
        return self._sender.send(Call(
            "verifySmartcard",
            "POST",
            "/cable/verify",
            "verify",
            query=None,
            body=_given(biller=biller, smartcard_number=smartcard_number),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def verify_betting_customer(
        self,
        *,
        biller: api.BillerInput,
        customer_id: str,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyBettingCustomerResult:
        """Verify a betting account."""
        return self._sender.send(Call(
            "verifyBettingCustomer",
            "POST",
            "/betting/verify",
            "verify",
            query=None,
            body=_given(biller=biller, customer_id=customer_id),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def verify_internet_account(
        self,
        *,
        biller: api.BillerInput,
        account_number: str,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyInternetAccountResult:
        """Verify an internet account."""
        return self._sender.send(Call(
            "verifyInternetAccount",
            "POST",
            "/internet/verify",
            "verify",
            query=None,
            body=_given(biller=biller, account_number=account_number),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_data(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        phone: api.PhoneInput = _omit,
        ported: bool = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DataTransaction:
        """Buy mobile data."""
        return self._sender.send(Call(
            "buyData",
            "POST",
            "/data/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, phone=phone, ported=ported),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_airtime(
        self,
        *,
        amount: api.AmountInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        phone: api.PhoneInput = _omit,
        ported: bool = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.AirtimeTransaction:
        """Buy airtime."""
        return self._sender.send(Call(
            "buyAirtime",
            "POST",
            "/airtime/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, network=network, phone=phone, amount=amount, ported=ported),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_electricity(
        self,
        *,
        amount: api.AmountInput,
        phone: api.PhoneInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        meter_type: Literal["prepaid", "postpaid"] = _omit,
        meter_number: api.MeterNumberInput = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ElectricityTransaction:
        """Vend electricity."""
        return self._sender.send(Call(
            "buyElectricity",
            "POST",
            "/electricity/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, meter_type=meter_type, meter_number=meter_number, amount=amount, phone=phone, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_cable(
        self,
        *,
        phone: api.PhoneInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        subscription_type: Literal["change", "renew"] = _omit,
        amount: api.AmountInput = _omit,
        smartcard_number: api.SmartcardNumberInput = _omit,
        months: Union[int, str] = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.CableTransaction:
        """Pay a cable TV bouquet."""
        return self._sender.send(Call(
            "buyCable",
            "POST",
            "/cable/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, subscription_type=subscription_type, amount=amount, smartcard_number=smartcard_number, phone=phone, months=months, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_education(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        phone: api.PhoneInput = _omit,
        profile_code: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EducationTransaction:
        """Buy exam PINs."""
        return self._sender.send(Call(
            "buyEducation",
            "POST",
            "/education/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, phone=phone, profile_code=profile_code),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_giftcard(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        amount: api.AmountInput = _omit,
        recipient_email: api.EmailInput = _omit,
        recipient_phone: api.PhoneInput = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.GiftcardTransaction:
        """Buy gift cards."""
        return self._sender.send(Call(
            "buyGiftcard",
            "POST",
            "/giftcard/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, amount=amount, recipient_email=recipient_email, recipient_phone=recipient_phone, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_esim(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        email: api.EmailInput = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EsimTransaction:
        """Buy travel eSIMs."""
        return self._sender.send(Call(
            "buyEsim",
            "POST",
            "/esim/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, email=email, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def fund_betting(
        self,
        *,
        amount: api.AmountInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        customer_id: str = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BettingTransaction:
        """Fund a betting wallet."""
        return self._sender.send(Call(
            "fundBetting",
            "POST",
            "/betting/fund",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, customer_id=customer_id, amount=amount, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_internet(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        account_number: str = _omit,
        phone: api.PhoneInput = _omit,
        amount: api.AmountInput = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.InternetTransaction:
        """Buy an internet bundle."""
        return self._sender.send(Call(
            "buyInternet",
            "POST",
            "/internet/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, account_number=account_number, phone=phone, amount=amount, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_voice(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VoiceTransaction:
        """Buy a voice plan."""
        return self._sender.send(Call(
            "buyVoice",
            "POST",
            "/voice/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def send_sms(
        self,
        *,
        sender_id: str,
        message: str,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        recipients: Union[List[str], str] = _omit,
        route: Literal["standard", "dnd"] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SmsTransaction:
        """Send a bulk SMS."""
        return self._sender.send(Call(
            "sendSms",
            "POST",
            "/sms/send",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, sender_id=sender_id, message=message, recipients=recipients, route=route),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_recharge_pins(
        self,
        *,
        quantity: Union[int, str],
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        denomination: api.AmountInput = _omit,
        business_name: str = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.RechargePinTransaction:
        """Buy recharge card PINs."""
        return self._sender.send(Call(
            "buyRechargePins",
            "POST",
            "/recharge-pin/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, network=network, denomination=denomination, quantity=quantity, business_name=business_name, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_data_in_bulk(
        self,
        *,
        reference: str = _omit,
        items: List[Dict[str, Any]] = _omit,
        product_id: api.ProductIdInput = _omit,
        ported: bool = _omit,
        phones: List[api.PhoneInput] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Buy mobile data for many."""
        return self._sender.send(Call(
            "buyDataInBulk",
            "POST",
            "/data/bulk",
            "purchase",
            query=None,
            body=_given(reference=reference, items=items, product_id=product_id, ported=ported, phones=phones),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def buy_airtime_in_bulk(
        self,
        *,
        reference: str = _omit,
        items: List[Dict[str, Any]] = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        amount: api.AmountInput = _omit,
        ported: bool = _omit,
        phones: List[api.PhoneInput] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Buy airtime for many."""
        return self._sender.send(Call(
            "buyAirtimeInBulk",
            "POST",
            "/airtime/bulk",
            "purchase",
            query=None,
            body=_given(reference=reference, items=items, product_id=product_id, network=network, amount=amount, ported=ported, phones=phones),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def get_bulk_order(
        self,
        reference: str,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Fetch a bulk order."""
        return self._sender.send(Call(
            "getBulkOrder",
            "GET",
            f"/bulk/{quote(reference, safe='')}",
            "lookup",
            query=_given(status=status, page=page, per_page=per_page),
            body=None,
            reference=reference,
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_transactions(
        self,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        biller_slug: str = _omit,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        phone: api.PhoneInput = _omit,
        customer_ref: str = _omit,
        reference: str = _omit,
        transaction_id: str = _omit,
        bulk_reference: str = _omit,
        channel: Literal["api", "dashboard", "bulk", "legacy"] = _omit,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.TransactionList:
        """List transactions."""
        return self._sender.send(Call(
            "listTransactions",
            "GET",
            "/transactions",
            "other",
            query=_given(status=status, category=category, biller_slug=biller_slug, network=network, phone=phone, customer_ref=customer_ref, reference=reference, transaction_id=transaction_id, bulk_reference=bulk_reference, channel=channel, from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("transactions", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_transactions(
        self,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        biller_slug: str = _omit,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        phone: api.PhoneInput = _omit,
        customer_ref: str = _omit,
        reference: str = _omit,
        transaction_id: str = _omit,
        bulk_reference: str = _omit,
        channel: Literal["api", "dashboard", "bulk", "legacy"] = _omit,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[api.ListedTransaction]:
        """List transactions, item by item, page after page."""
        return each(self._sender, Call(
            "listTransactions",
            "GET",
            "/transactions",
            "other",
            query=_given(status=status, category=category, biller_slug=biller_slug, network=network, phone=phone, customer_ref=customer_ref, reference=reference, transaction_id=transaction_id, bulk_reference=bulk_reference, channel=channel, from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("transactions", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "transactions")

    def get_transaction(
        self,
        reference: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.TransactionDetails:
        """Requery a transaction."""
        return self._sender.send(Call(
            "getTransaction",
            "GET",
            f"/transactions/{quote(reference, safe='')}",
            "lookup",
            query=None,
            body=None,
            reference=reference,
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def get_webhook(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookSettings:
        """Webhook settings."""
        return self._sender.send(Call(
            "getWebhook",
            "GET",
            "/webhook",
            "other",
            query=None,
            body=None,
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def save_webhook(
        self,
        *,
        url: Union[str, None] = _omit,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        rotate_secret: bool = _omit,
        overlap_hours: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookSettings:
        """Set the webhook."""
        return self._sender.send(Call(
            "saveWebhook",
            "PUT",
            "/webhook",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, rotate_secret=rotate_secret, overlap_hours=overlap_hours),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def send_test_event(
        self,
        *,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        endpoint_id: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.OwedDelivery:
        """Send a test event."""
        return self._sender.send(Call(
            "sendTestEvent",
            "POST",
            "/webhook/test",
            "other",
            query=None,
            body=_given(event=event, endpoint_id=endpoint_id),
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_endpoints(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListEndpointsResult:
        """List webhook endpoints."""
        return self._sender.send(Call(
            "listEndpoints",
            "GET",
            "/webhook/endpoints",
            "other",
            query=None,
            body=None,
            fields=("endpoints",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def create_endpoint(
        self,
        *,
        url: str,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        mode: Literal["live", "test", "both"] = _omit,
        description: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookEndpoint:
        """Add a webhook endpoint."""
        return self._sender.send(Call(
            "createEndpoint",
            "POST",
            "/webhook/endpoints",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, mode=mode, description=description),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def get_endpoint(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookEndpoint:
        """Read a webhook endpoint."""
        return self._sender.send(Call(
            "getEndpoint",
            "GET",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def change_endpoint(
        self,
        id: str,
        *,
        url: str = _omit,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        mode: Literal["live", "test", "both"] = _omit,
        description: Union[str, None] = _omit,
        rotate_secret: bool = _omit,
        overlap_hours: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookEndpoint:
        """Change a webhook endpoint."""
        return self._sender.send(Call(
            "changeEndpoint",
            "PUT",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, mode=mode, description=description, rotate_secret=rotate_secret, overlap_hours=overlap_hours),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def delete_endpoint(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DeleteEndpointResult:
        """Remove a webhook endpoint."""
        return self._sender.send(Call(
            "deleteEndpoint",
            "DELETE",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("deleted",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_deliveries(
        self,
        *,
        status: Literal["success", "failed"] = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        reference: str = _omit,
        delivery_id: str = _omit,
        endpoint_id: str = _omit,
        max_id: Union[int, str] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListDeliveriesResult:
        """List webhook deliveries."""
        return self._sender.send(Call(
            "listDeliveries",
            "GET",
            "/webhook/deliveries",
            "other",
            query=_given(status=status, event=event, reference=reference, delivery_id=delivery_id, endpoint_id=endpoint_id, max_id=max_id, page=page, per_page=per_page),
            body=None,
            fields=("deliveries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_deliveries(
        self,
        *,
        status: Literal["success", "failed"] = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        reference: str = _omit,
        delivery_id: str = _omit,
        endpoint_id: str = _omit,
        max_id: Union[int, str] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[api.WebhookAttempt]:
        """List webhook deliveries, item by item, page after page."""
        return each(self._sender, Call(
            "listDeliveries",
            "GET",
            "/webhook/deliveries",
            "other",
            query=_given(status=status, event=event, reference=reference, delivery_id=delivery_id, endpoint_id=endpoint_id, max_id=max_id, page=page, per_page=per_page),
            body=None,
            fields=("deliveries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "deliveries")

    def get_delivery(
        self,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookDelivery:
        """Read a delivery."""
        return self._sender.send(Call(
            "getDelivery",
            "GET",
            f"/webhook/deliveries/{quote(delivery_id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def resend_delivery(
        self,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.OwedDelivery:
        """Resend a delivery."""
        return self._sender.send(Call(
            "resendDelivery",
            "POST",
            f"/webhook/deliveries/{quote(delivery_id, safe='')}/resend",
            "other",
            query=None,
            body=None,
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def recover_deliveries(
        self,
        *,
        since: str,
        endpoint_id: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookRecovery:
        """Resend all that failed since a time."""
        return self._sender.send(Call(
            "recoverDeliveries",
            "POST",
            "/webhook/recover",
            "other",
            query=None,
            body=_given(endpoint_id=endpoint_id, since=since),
            fields=("recovered",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def list_events(
        self,
        *,
        after: str = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed"] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EventList:
        """List events."""
        return self._sender.send(Call(
            "listEvents",
            "GET",
            "/events",
            "other",
            query=_given(after=after, event=event, per_page=per_page),
            body=None,
            fields=("events", "has_more",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_events(
        self,
        *,
        after: str = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed"] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[api.ListedEvent]:
        """List events, item by item, page after page."""
        return each(self._sender, Call(
            "listEvents",
            "GET",
            "/events",
            "other",
            query=_given(after=after, event=event, per_page=per_page),
            body=None,
            fields=("events", "has_more",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "events")

    def list_beneficiaries(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListBeneficiariesResult:
        """List beneficiaries."""
        return self._sender.send(Call(
            "listBeneficiaries",
            "GET",
            "/beneficiaries",
            "other",
            query=_given(category=category, q=q, page=page, per_page=per_page),
            body=None,
            fields=("beneficiaries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_beneficiaries(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> Iterator[api.Beneficiary]:
        """List beneficiaries, item by item, page after page."""
        return each(self._sender, Call(
            "listBeneficiaries",
            "GET",
            "/beneficiaries",
            "other",
            query=_given(category=category, q=q, page=page, per_page=per_page),
            body=None,
            fields=("beneficiaries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "beneficiaries")

    def create_beneficiary(
        self,
        *,
        label: str,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"],
        customer_ref: str,
        biller_slug: Union[str, None] = _omit,
        network: Union[str, None] = _omit,
        meter_type: Union[Literal["prepaid", "postpaid"], None] = _omit,
        customer_name: Union[str, None] = _omit,
        phone: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.Beneficiary:
        """Save a beneficiary."""
        return self._sender.send(Call(
            "createBeneficiary",
            "POST",
            "/beneficiaries",
            "other",
            query=None,
            body=_given(label=label, category=category, customer_ref=customer_ref, biller_slug=biller_slug, network=network, meter_type=meter_type, customer_name=customer_name, phone=phone),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def update_beneficiary(
        self,
        id: str,
        *,
        label: str = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        customer_ref: str = _omit,
        biller_slug: Union[str, None] = _omit,
        network: Union[str, None] = _omit,
        meter_type: Union[Literal["prepaid", "postpaid"], None] = _omit,
        customer_name: Union[str, None] = _omit,
        phone: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.Beneficiary:
        """Change a beneficiary."""
        return self._sender.send(Call(
            "updateBeneficiary",
            "PUT",
            f"/beneficiaries/{quote(id, safe='')}",
            "other",
            query=None,
            body=_given(label=label, category=category, customer_ref=customer_ref, biller_slug=biller_slug, network=network, meter_type=meter_type, customer_name=customer_name, phone=phone),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def delete_beneficiary(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DeleteBeneficiaryResult:
        """Delete a beneficiary."""
        return self._sender.send(Call(
            "deleteBeneficiary",
            "DELETE",
            f"/beneficiaries/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("deleted",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))


class AsyncOperations:
    """Every operation of the merchant API, named as in its reference, in snake case."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get_wallet_balance(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WalletBalance:
        """Read the wallet's balance."""
        return await self._sender.send(Call(
            "getWalletBalance",
            "GET",
            "/wallet/balance",
            "other",
            query=None,
            body=None,
            fields=("balance",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def reset_sandbox(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SandboxReset:
        """Reset the sandbox wallet."""
        return await self._sender.send(Call(
            "resetSandbox",
            "POST",
            "/sandbox/reset",
            "other",
            query=None,
            body=None,
            fields=("balance",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def get_wallet_statement(
        self,
        *,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WalletStatement:
        """Read the wallet's statement."""
        return await self._sender.send(Call(
            "getWalletStatement",
            "GET",
            "/wallet/statement",
            "other",
            query=_given(from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("entries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_wallet_statement(
        self,
        *,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> AsyncIterator[api.WalletEntry]:
        """Read the wallet's statement, item by item, page after page."""
        return each_async(self._sender, Call(
            "getWalletStatement",
            "GET",
            "/wallet/statement",
            "other",
            query=_given(from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("entries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "entries")

    async def list_funding_accounts(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.FundingAccounts:
        """List your receiving accounts."""
        return await self._sender.send(Call(
            "listFundingAccounts",
            "GET",
            "/wallet/funding-accounts",
            "other",
            query=None,
            body=None,
            fields=("accounts",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def request_funding_accounts(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.FundingAccounts:
        """Request your receiving accounts."""
        return await self._sender.send(Call(
            "requestFundingAccounts",
            "POST",
            "/wallet/funding-accounts",
            "other",
            query=None,
            body=None,
            fields=("accounts",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_billers(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BillerList:
        """List billers."""
        return await self._sender.send(Call(
            "listBillers",
            "GET",
            "/billers",
            "other",
            query=_given(category=category, q=q),
            body=None,
            fields=("billers",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_products(
        self,
        slug: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ProductList:
        """List a biller's products."""
        return await self._sender.send(Call(
            "listProducts",
            "GET",
            f"/billers/{quote(slug, safe='')}/products",
            "other",
            query=None,
            body=None,
            fields=("biller",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_denominations(
        self,
        *,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DenominationList:
        """List recharge card denominations."""
        return await self._sender.send(Call(
            "listDenominations",
            "GET",
            "/recharge-pin/denominations",
            "other",
            query=_given(network=network),
            body=None,
            fields=("denominations",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def verify_meter(
        self,
        *,
        meter_number: api.MeterNumberInput,
        meter_type: Literal["prepaid", "postpaid"],
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyMeterResult:
        """Verify a meter."""
        return await self._sender.send(Call(
            "verifyMeter",
            "POST",
            "/electricity/verify",
            "verify",
            query=None,
            body=_given(product_id=product_id, biller=biller, meter_number=meter_number, meter_type=meter_type),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def verify_smartcard(
        self,
        *,
        biller: api.BillerInput,
        smartcard_number: api.SmartcardNumberInput,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifySmartcardResult:
        """Verify a smartcard."""
        return await self._sender.send(Call(
            "verifySmartcard",
            "POST",
            "/cable/verify",
            "verify",
            query=None,
            body=_given(biller=biller, smartcard_number=smartcard_number),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def verify_betting_customer(
        self,
        *,
        biller: api.BillerInput,
        customer_id: str,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyBettingCustomerResult:
        """Verify a betting account."""
        return await self._sender.send(Call(
            "verifyBettingCustomer",
            "POST",
            "/betting/verify",
            "verify",
            query=None,
            body=_given(biller=biller, customer_id=customer_id),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def verify_internet_account(
        self,
        *,
        biller: api.BillerInput,
        account_number: str,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VerifyInternetAccountResult:
        """Verify an internet account."""
        return await self._sender.send(Call(
            "verifyInternetAccount",
            "POST",
            "/internet/verify",
            "verify",
            query=None,
            body=_given(biller=biller, account_number=account_number),
            fields=("verified",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_data(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        phone: api.PhoneInput = _omit,
        ported: bool = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DataTransaction:
        """Buy mobile data."""
        return await self._sender.send(Call(
            "buyData",
            "POST",
            "/data/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, phone=phone, ported=ported),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_airtime(
        self,
        *,
        amount: api.AmountInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        phone: api.PhoneInput = _omit,
        ported: bool = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.AirtimeTransaction:
        """Buy airtime."""
        return await self._sender.send(Call(
            "buyAirtime",
            "POST",
            "/airtime/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, network=network, phone=phone, amount=amount, ported=ported),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_electricity(
        self,
        *,
        amount: api.AmountInput,
        phone: api.PhoneInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        meter_type: Literal["prepaid", "postpaid"] = _omit,
        meter_number: api.MeterNumberInput = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ElectricityTransaction:
        """Vend electricity."""
        return await self._sender.send(Call(
            "buyElectricity",
            "POST",
            "/electricity/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, meter_type=meter_type, meter_number=meter_number, amount=amount, phone=phone, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_cable(
        self,
        *,
        phone: api.PhoneInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        subscription_type: Literal["change", "renew"] = _omit,
        amount: api.AmountInput = _omit,
        smartcard_number: api.SmartcardNumberInput = _omit,
        months: Union[int, str] = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.CableTransaction:
        """Pay a cable TV bouquet."""
        return await self._sender.send(Call(
            "buyCable",
            "POST",
            "/cable/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, subscription_type=subscription_type, amount=amount, smartcard_number=smartcard_number, phone=phone, months=months, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_education(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        phone: api.PhoneInput = _omit,
        profile_code: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EducationTransaction:
        """Buy exam PINs."""
        return await self._sender.send(Call(
            "buyEducation",
            "POST",
            "/education/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, phone=phone, profile_code=profile_code),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_giftcard(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        amount: api.AmountInput = _omit,
        recipient_email: api.EmailInput = _omit,
        recipient_phone: api.PhoneInput = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.GiftcardTransaction:
        """Buy gift cards."""
        return await self._sender.send(Call(
            "buyGiftcard",
            "POST",
            "/giftcard/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, amount=amount, recipient_email=recipient_email, recipient_phone=recipient_phone, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_esim(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        quantity: Union[int, str] = _omit,
        email: api.EmailInput = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EsimTransaction:
        """Buy travel eSIMs."""
        return await self._sender.send(Call(
            "buyEsim",
            "POST",
            "/esim/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, quantity=quantity, email=email, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def fund_betting(
        self,
        *,
        amount: api.AmountInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        biller: api.BillerInput = _omit,
        customer_id: str = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BettingTransaction:
        """Fund a betting wallet."""
        return await self._sender.send(Call(
            "fundBetting",
            "POST",
            "/betting/fund",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, biller=biller, customer_id=customer_id, amount=amount, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_internet(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        account_number: str = _omit,
        phone: api.PhoneInput = _omit,
        amount: api.AmountInput = _omit,
        verification_id: api.VerificationIdInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.InternetTransaction:
        """Buy an internet bundle."""
        return await self._sender.send(Call(
            "buyInternet",
            "POST",
            "/internet/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, account_number=account_number, phone=phone, amount=amount, verification_id=verification_id),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_voice(
        self,
        *,
        product_id: api.ProductIdInput,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.VoiceTransaction:
        """Buy a voice plan."""
        return await self._sender.send(Call(
            "buyVoice",
            "POST",
            "/voice/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def send_sms(
        self,
        *,
        sender_id: str,
        message: str,
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        recipients: Union[List[str], str] = _omit,
        route: Literal["standard", "dnd"] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SmsTransaction:
        """Send a bulk SMS."""
        return await self._sender.send(Call(
            "sendSms",
            "POST",
            "/sms/send",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, sender_id=sender_id, message=message, recipients=recipients, route=route),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_recharge_pins(
        self,
        *,
        quantity: Union[int, str],
        reference: str = _omit,
        expected_price: api.AmountInput = _omit,
        metadata: Union[Dict[str, Any], None] = _omit,
        beneficiary_id: str = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        denomination: api.AmountInput = _omit,
        business_name: str = _omit,
        phone: api.PhoneInput = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.RechargePinTransaction:
        """Buy recharge card PINs."""
        return await self._sender.send(Call(
            "buyRechargePins",
            "POST",
            "/recharge-pin/purchase",
            "purchase",
            query=None,
            body=_given(reference=reference, expected_price=expected_price, metadata=metadata, beneficiary_id=beneficiary_id, product_id=product_id, network=network, denomination=denomination, quantity=quantity, business_name=business_name, phone=phone),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_data_in_bulk(
        self,
        *,
        reference: str = _omit,
        items: List[Dict[str, Any]] = _omit,
        product_id: api.ProductIdInput = _omit,
        ported: bool = _omit,
        phones: List[api.PhoneInput] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Buy mobile data for many."""
        return await self._sender.send(Call(
            "buyDataInBulk",
            "POST",
            "/data/bulk",
            "purchase",
            query=None,
            body=_given(reference=reference, items=items, product_id=product_id, ported=ported, phones=phones),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def buy_airtime_in_bulk(
        self,
        *,
        reference: str = _omit,
        items: List[Dict[str, Any]] = _omit,
        product_id: api.ProductIdInput = _omit,
        network: api.NetworkInput = _omit,
        amount: api.AmountInput = _omit,
        ported: bool = _omit,
        phones: List[api.PhoneInput] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Buy airtime for many."""
        return await self._sender.send(Call(
            "buyAirtimeInBulk",
            "POST",
            "/airtime/bulk",
            "purchase",
            query=None,
            body=_given(reference=reference, items=items, product_id=product_id, network=network, amount=amount, ported=ported, phones=phones),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def get_bulk_order(
        self,
        reference: str,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.BulkOrder:
        """Fetch a bulk order."""
        return await self._sender.send(Call(
            "getBulkOrder",
            "GET",
            f"/bulk/{quote(reference, safe='')}",
            "lookup",
            query=_given(status=status, page=page, per_page=per_page),
            body=None,
            reference=reference,
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_transactions(
        self,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        biller_slug: str = _omit,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        phone: api.PhoneInput = _omit,
        customer_ref: str = _omit,
        reference: str = _omit,
        transaction_id: str = _omit,
        bulk_reference: str = _omit,
        channel: Literal["api", "dashboard", "bulk", "legacy"] = _omit,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.TransactionList:
        """List transactions."""
        return await self._sender.send(Call(
            "listTransactions",
            "GET",
            "/transactions",
            "other",
            query=_given(status=status, category=category, biller_slug=biller_slug, network=network, phone=phone, customer_ref=customer_ref, reference=reference, transaction_id=transaction_id, bulk_reference=bulk_reference, channel=channel, from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("transactions", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_transactions(
        self,
        *,
        status: Literal["successful", "pending", "failed"] = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        biller_slug: str = _omit,
        network: Literal["MTN", "GLO", "9MOBILE", "AIRTEL"] = _omit,
        phone: api.PhoneInput = _omit,
        customer_ref: str = _omit,
        reference: str = _omit,
        transaction_id: str = _omit,
        bulk_reference: str = _omit,
        channel: Literal["api", "dashboard", "bulk", "legacy"] = _omit,
        from_: str = _omit,
        to: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> AsyncIterator[api.ListedTransaction]:
        """List transactions, item by item, page after page."""
        return each_async(self._sender, Call(
            "listTransactions",
            "GET",
            "/transactions",
            "other",
            query=_given(status=status, category=category, biller_slug=biller_slug, network=network, phone=phone, customer_ref=customer_ref, reference=reference, transaction_id=transaction_id, bulk_reference=bulk_reference, channel=channel, from_=from_, to=to, page=page, per_page=per_page),
            body=None,
            fields=("transactions", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "transactions")

    async def get_transaction(
        self,
        reference: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.TransactionDetails:
        """Requery a transaction."""
        return await self._sender.send(Call(
            "getTransaction",
            "GET",
            f"/transactions/{quote(reference, safe='')}",
            "lookup",
            query=None,
            body=None,
            reference=reference,
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def get_webhook(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookSettings:
        """Webhook settings."""
        return await self._sender.send(Call(
            "getWebhook",
            "GET",
            "/webhook",
            "other",
            query=None,
            body=None,
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def save_webhook(
        self,
        *,
        url: Union[str, None] = _omit,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        rotate_secret: bool = _omit,
        overlap_hours: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookSettings:
        """Set the webhook."""
        return await self._sender.send(Call(
            "saveWebhook",
            "PUT",
            "/webhook",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, rotate_secret=rotate_secret, overlap_hours=overlap_hours),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def send_test_event(
        self,
        *,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        endpoint_id: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.OwedDelivery:
        """Send a test event."""
        return await self._sender.send(Call(
            "sendTestEvent",
            "POST",
            "/webhook/test",
            "other",
            query=None,
            body=_given(event=event, endpoint_id=endpoint_id),
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_endpoints(
        self,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListEndpointsResult:
        """List webhook endpoints."""
        return await self._sender.send(Call(
            "listEndpoints",
            "GET",
            "/webhook/endpoints",
            "other",
            query=None,
            body=None,
            fields=("endpoints",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def create_endpoint(
        self,
        *,
        url: str,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        mode: Literal["live", "test", "both"] = _omit,
        description: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookEndpoint:
        """Add a webhook endpoint."""
        return await self._sender.send(Call(
            "createEndpoint",
            "POST",
            "/webhook/endpoints",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, mode=mode, description=description),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def get_endpoint(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookEndpoint:
        """Read a webhook endpoint."""
        return await self._sender.send(Call(
            "getEndpoint",
            "GET",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def change_endpoint(
        self,
        id: str,
        *,
        url: str = _omit,
        enabled: bool = _omit,
        events: List[Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test", "*"]] = _omit,
        notify: Literal["changes", "all"] = _omit,
        mode: Literal["live", "test", "both"] = _omit,
        description: Union[str, None] = _omit,
        rotate_secret: bool = _omit,
        overlap_hours: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.SavedWebhookEndpoint:
        """Change a webhook endpoint."""
        return await self._sender.send(Call(
            "changeEndpoint",
            "PUT",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=_given(url=url, enabled=enabled, events=events, notify=notify, mode=mode, description=description, rotate_secret=rotate_secret, overlap_hours=overlap_hours),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def delete_endpoint(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DeleteEndpointResult:
        """Remove a webhook endpoint."""
        return await self._sender.send(Call(
            "deleteEndpoint",
            "DELETE",
            f"/webhook/endpoints/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("deleted",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_deliveries(
        self,
        *,
        status: Literal["success", "failed"] = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        reference: str = _omit,
        delivery_id: str = _omit,
        endpoint_id: str = _omit,
        max_id: Union[int, str] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListDeliveriesResult:
        """List webhook deliveries."""
        return await self._sender.send(Call(
            "listDeliveries",
            "GET",
            "/webhook/deliveries",
            "other",
            query=_given(status=status, event=event, reference=reference, delivery_id=delivery_id, endpoint_id=endpoint_id, max_id=max_id, page=page, per_page=per_page),
            body=None,
            fields=("deliveries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_deliveries(
        self,
        *,
        status: Literal["success", "failed"] = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed", "wallet.funded", "wallet.low_balance", "catalogue.updated", "webhook.test"] = _omit,
        reference: str = _omit,
        delivery_id: str = _omit,
        endpoint_id: str = _omit,
        max_id: Union[int, str] = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> AsyncIterator[api.WebhookAttempt]:
        """List webhook deliveries, item by item, page after page."""
        return each_async(self._sender, Call(
            "listDeliveries",
            "GET",
            "/webhook/deliveries",
            "other",
            query=_given(status=status, event=event, reference=reference, delivery_id=delivery_id, endpoint_id=endpoint_id, max_id=max_id, page=page, per_page=per_page),
            body=None,
            fields=("deliveries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "deliveries")

    async def get_delivery(
        self,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookDelivery:
        """Read a delivery."""
        return await self._sender.send(Call(
            "getDelivery",
            "GET",
            f"/webhook/deliveries/{quote(delivery_id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def resend_delivery(
        self,
        delivery_id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.OwedDelivery:
        """Resend a delivery."""
        return await self._sender.send(Call(
            "resendDelivery",
            "POST",
            f"/webhook/deliveries/{quote(delivery_id, safe='')}/resend",
            "other",
            query=None,
            body=None,
            fields=("delivery_id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def recover_deliveries(
        self,
        *,
        since: str,
        endpoint_id: str = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.WebhookRecovery:
        """Resend all that failed since a time."""
        return await self._sender.send(Call(
            "recoverDeliveries",
            "POST",
            "/webhook/recover",
            "other",
            query=None,
            body=_given(endpoint_id=endpoint_id, since=since),
            fields=("recovered",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def list_events(
        self,
        *,
        after: str = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed"] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.EventList:
        """List events."""
        return await self._sender.send(Call(
            "listEvents",
            "GET",
            "/events",
            "other",
            query=_given(after=after, event=event, per_page=per_page),
            body=None,
            fields=("events", "has_more",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_events(
        self,
        *,
        after: str = _omit,
        event: Literal["transaction.successful", "transaction.failed", "bulk.completed"] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> AsyncIterator[api.ListedEvent]:
        """List events, item by item, page after page."""
        return each_async(self._sender, Call(
            "listEvents",
            "GET",
            "/events",
            "other",
            query=_given(after=after, event=event, per_page=per_page),
            body=None,
            fields=("events", "has_more",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "events")

    async def list_beneficiaries(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.ListBeneficiariesResult:
        """List beneficiaries."""
        return await self._sender.send(Call(
            "listBeneficiaries",
            "GET",
            "/beneficiaries",
            "other",
            query=_given(category=category, q=q, page=page, per_page=per_page),
            body=None,
            fields=("beneficiaries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    def each_beneficiaries(
        self,
        *,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        q: str = _omit,
        page: Union[int, str] = _omit,
        per_page: Union[int, str] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> AsyncIterator[api.Beneficiary]:
        """List beneficiaries, item by item, page after page."""
        return each_async(self._sender, Call(
            "listBeneficiaries",
            "GET",
            "/beneficiaries",
            "other",
            query=_given(category=category, q=q, page=page, per_page=per_page),
            body=None,
            fields=("beneficiaries", "meta",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ), "beneficiaries")

    async def create_beneficiary(
        self,
        *,
        label: str,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"],
        customer_ref: str,
        biller_slug: Union[str, None] = _omit,
        network: Union[str, None] = _omit,
        meter_type: Union[Literal["prepaid", "postpaid"], None] = _omit,
        customer_name: Union[str, None] = _omit,
        phone: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.Beneficiary:
        """Save a beneficiary."""
        return await self._sender.send(Call(
            "createBeneficiary",
            "POST",
            "/beneficiaries",
            "other",
            query=None,
            body=_given(label=label, category=category, customer_ref=customer_ref, biller_slug=biller_slug, network=network, meter_type=meter_type, customer_name=customer_name, phone=phone),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def update_beneficiary(
        self,
        id: str,
        *,
        label: str = _omit,
        category: Literal["data", "airtime", "electricity", "cable", "education", "giftcard", "esim", "betting", "internet", "voice", "sms", "recharge_pin"] = _omit,
        customer_ref: str = _omit,
        biller_slug: Union[str, None] = _omit,
        network: Union[str, None] = _omit,
        meter_type: Union[Literal["prepaid", "postpaid"], None] = _omit,
        customer_name: Union[str, None] = _omit,
        phone: Union[str, None] = _omit,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.Beneficiary:
        """Change a beneficiary."""
        return await self._sender.send(Call(
            "updateBeneficiary",
            "PUT",
            f"/beneficiaries/{quote(id, safe='')}",
            "other",
            query=None,
            body=_given(label=label, category=category, customer_ref=customer_ref, biller_slug=biller_slug, network=network, meter_type=meter_type, customer_name=customer_name, phone=phone),
            fields=("id",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))

    async def delete_beneficiary(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        attempts_max: Optional[int] = None,
        deadline: Optional[float] = None,
    ) -> api.DeleteBeneficiaryResult:
        """Delete a beneficiary."""
        return await self._sender.send(Call(
            "deleteBeneficiary",
            "DELETE",
            f"/beneficiaries/{quote(id, safe='')}",
            "other",
            query=None,
            body=None,
            fields=("deleted",),
            timeout=timeout,
            attempts_max=attempts_max,
            deadline=deadline,
        ))
