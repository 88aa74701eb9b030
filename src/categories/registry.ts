import { airtime } from "./airtime.ts";
import { betting } from "./betting.ts";
import { cable } from "./cable.ts";
import { data } from "./data.ts";
import { education } from "./education.ts";
import { electricity } from "./electricity.ts";
import { esim } from "./esim.ts";
import { giftcard } from "./giftcard.ts";
import { internet } from "./internet.ts";
import { rechargePin } from "./recharge-pin.ts";
import { sms } from "./sms.ts";
import { voice } from "./voice.ts";

/** Every category the service sells. A new one is its file and its line here; routes, types and OpenAPI follow. */
export const categories = [
  data,
  airtime,
  electricity,
  cable,
  education,
  giftcard,
  esim,
  betting,
  internet,
  voice,
  sms,
  rechargePin,
] as const;
