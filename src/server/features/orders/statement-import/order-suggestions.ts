import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { upiContext } from '../order-fields.ts';
import { listOrders, type OrderRow, type OrdersQuery } from '../orders.queries.ts';
import type { Credit } from './statement-credits.ts';

/** Maximum number of Pending orders, newest first, that are considered; older ones are unlikely to be paid now. */
const candidatesMax = 2000;
const rowsPerStep = 100;
/** Minimum number of letters that a truncated name must have to match. */
const nameMinLetters = 6;

/** Matches the separators that banks use, and the words that they put before a name. */
const separators = /[-/·:|,;*]+|\b(?:upi|imps|neft|rtgs|cr|by|from|transfer)\b/u;

interface Candidate {
	order: OrderRow;
	paise: number;
	name: string;
	phone: string;
	upiId: string;
}

/** Suggests for each unmatched credit the only order of its amount whose name, phone or UPI ID is in the row. */
export async function suggestOrders(
	deps: Deps,
	credits: Credit[],
	{ taken, currentPaise }: { taken: ReadonlySet<string>; currentPaise: number },
): Promise<Map<Credit, OrderRow>> {
	if (credits.length === 0) return new Map();
	const candidates = await listCandidates(deps, currentPaise);
	const waiting = Map.groupBy(
		candidates.filter(({ order }) => !taken.has(order.id)),
		({ paise }) => paise,
	);
	const suggestions = new Map<Credit, OrderRow>();
	for (const credit of credits) {
		const found = findOnlyMatch(waiting.get(credit.paise) ?? [], credit.text);
		if (found !== undefined) suggestions.set(credit, found);
		await yieldToEventLoop();
	}
	return suggestions;
}

async function listCandidates(deps: Deps, currentPaise: number): Promise<Candidate[]> {
	const found: Candidate[] = [];
	for (let after: OrdersQuery['after'] = null; found.length < candidatesMax; ) {
		const wanted = { searchKey: '', status: 'Pending', isBroad: false, after, limit: rowsPerStep } as const;
		const rows: OrderRow[] = await listOrders(deps.db, wanted);
		found.push(...rows.map((order) => candidateOf(deps, order, currentPaise)));
		const last = rows.at(-1);
		if (last === undefined || rows.length < rowsPerStep) break;
		after = { createdAt: last.created_at, id: last.id };
		await yieldToEventLoop();
	}
	return found;
}

function candidateOf(deps: Deps, order: OrderRow, currentPaise: number): Candidate {
	return {
		order,
		paise: order.price_paise ?? currentPaise,
		name: lettersOf(order.name),
		phone: order.phone.replace(/\D/gu, '').slice(-10),
		upiId: deps.secrets.unseal(upiContext, order.upi_id_sealed).trim().toLowerCase(),
	};
}

function findOnlyMatch(waiting: readonly Candidate[], text: string): OrderRow | undefined {
	const plain = text.toLowerCase();
	const parts = plain.split(separators).map(lettersOf);
	const figures = plain.split(/[^\d+]+/u).map((each) => each.slice(-10));
	const found = waiting.filter(({ name, phone, upiId }) => {
		if (upiId.includes('@') && containsUpiId(plain, upiId)) return true;
		if (phone.length === 10 && figures.includes(phone)) return true;
		return parts.some((part) => isNameOrBeginning(part, name));
	});
	return found.length === 1 ? found[0]?.order : undefined;
}

/** Returns whether the text contains the UPI ID, but not as the end of a longer one. */
function containsUpiId(text: string, upiId: string): boolean {
	const at = text.indexOf(upiId);
	return at >= 0 && !/[\w.]/u.test(text.charAt(at - 1));
}

/** Returns whether the part is the whole name or its beginning, because banks truncate long names. */
function isNameOrBeginning(part: string, name: string): boolean {
	return part !== '' && (part === name || (part.length >= nameMinLetters && name.startsWith(part)));
}

function lettersOf(text: string): string {
	return text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}]/gu, '');
}
