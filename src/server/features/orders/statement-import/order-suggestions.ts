import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { upiContext } from '../orders.presenter.ts';
import type { OrderRow } from '../orders.queries.ts';
import { readOrdersInSteps } from '../orders.service.ts';
import type { Credit } from './statement-credits.ts';

/** Maximum number of Pending orders to consider, newest first. Older ones are unlikely to be paid now. */
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

/**
 * Suggests for each credit the order of the same amount whose name, phone or UPI ID is in the credit's statement row.
 * Suggests no order if several match.
 */
export async function suggestOrders(
	deps: Deps,
	credits: Credit[],
	{ matchedIds, currentPaise }: { matchedIds: ReadonlySet<string>; currentPaise: number },
): Promise<Map<Credit, OrderRow>> {
	const suggestions = new Map<Credit, OrderRow>();
	if (credits.length === 0) return suggestions;
	const unmatched = (await listCandidates(deps, currentPaise)).filter(({ order }) => !matchedIds.has(order.id));
	const candidatesByPaise = Map.groupBy(unmatched, ({ paise }) => paise);
	for (const credit of credits) {
		const suggestion = findOnlyMatch(candidatesByPaise.get(credit.paise) ?? [], credit.text);
		if (suggestion !== undefined) suggestions.set(credit, suggestion);
		await yieldToEventLoop();
	}
	return suggestions;
}

async function listCandidates(deps: Deps, currentPaise: number): Promise<Candidate[]> {
	const candidates: Candidate[] = [];
	const pending = { searchKey: '', status: 'Pending', sort: 'newest', isBroad: false } as const;
	for await (const rows of readOrdersInSteps(deps.db, pending, rowsPerStep)) {
		const orders = rows.filter(({ is_test }) => is_test === 0);
		candidates.push(...orders.map((order) => candidateOf(deps, order, currentPaise)));
		if (candidates.length >= candidatesMax) break;
		await yieldToEventLoop();
	}
	return candidates;
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

function findOnlyMatch(candidates: readonly Candidate[], text: string): OrderRow | undefined {
	const lowerText = text.toLowerCase();
	const names = lowerText.split(separators).map(lettersOf);
	const phones = lowerText.split(/[^\d+]+/u).map((number) => number.slice(-10));
	const matching = candidates.filter(
		({ name, phone, upiId }) =>
			(upiId.includes('@') && containsUpiId(lowerText, upiId)) ||
			(phone.length === 10 && phones.includes(phone)) ||
			names.some((part) => isNameOrBeginning(part, name)),
	);
	return matching.length === 1 ? matching[0]?.order : undefined;
}

/** Returns whether the text contains the UPI ID. The end of a longer UPI ID does not count. */
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
