// A program: operator's commands in a program that knows a supplier with a price list besides all others.
import type { ConnectorKind } from "../../../src/providers/connector-kind.ts";
import { connectorKinds } from "../../../src/providers/registry.ts";
import "../operator-host.ts";
import { priceListKind } from "./price-list-kind.ts";

(connectorKinds as ConnectorKind[]).push(priceListKind);
