import * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Order, OrdersFilter, orders, SalesDay, UserOrder } from '#contract/orders/orders.ts';
import { required } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { readInSteps, toPage, unpackCursor } from '../../platform/cursor.ts';
import type { Db } from '../../platform/database/schema.ts';
import {
	hasTrigrams,
	isBroadSearch,
	isBroadTwoCharacterSearch,
	isTwoCharacterSearch,
} from '../../platform/database/search.ts';
import type { Deps } from '../../platform/deps.ts';
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { dayOf, lastDays } from '../../platform/format.ts';
import { getBook } from '../book/index.ts';
import { unsealUtr } from './duplicate-proofs/duplicate-proofs.service.ts';
import { newestUtr, presentOrders, presentWithProofs, proofUrl, searchKeyOf, upiContext } from './orders.presenter.ts';
import * as queries from './orders.queries.ts';

/** A cursor starts with its sort, so that a cursor of another sort is invalid. */
const cursorOf = (sort: OrdersFilter['sort']) => z.tuple([z.literal(sort), z.string(), z.string()]);

const rowsPerScan = 30_000;

export async function listOrders(deps: Deps, input: InputOf<typeof orders.list>) {
	const { sort } = input;
	const after = unpackCursor(input.cursor, cursorOf(sort));
	const query = await createCondition(deps, input);
	const pageQuery = { ...query, after: after && { createdAt: after[1], id: after[2] }, limit: input.limit + 1 };
	const isIndexed = hasTrigrams(query.searchKey) || (isTwoCharacterSearch(deps.db, query.searchKey) && !query.isBroad);
	const rows =
		query.searchKey === '' || isIndexed
			? await queries.listOrders(deps.db, pageQuery)
			: await queries.listOrdersInSteps(deps.db, pageQuery, rowsPerScan);
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [sort, last.created_at, last.id]);
	const isWhole = after === null && rows.length === page.length;
	const total = isWhole ? page.filter(({ is_test }) => is_test === 0).length : await countOrders(deps, query);
	return {
		items: await presentOrders(deps, page),
		nextCursor,
		total: Math.min(total, query.searchKey === '' ? total : limits.searchCountMax),
		isMore: query.searchKey !== '' && total > limits.searchCountMax,
	};
}

async function createCondition(
	deps: Deps,
	{ search = '', status, sort }: OrdersFilter,
): Promise<queries.OrdersCondition> {
	const searchKey = searchKeyOf(search);
	const isBroad = isTwoCharacterSearch(deps.db, searchKey)
		? await isBroadTwoCharacterSearch(deps.db, searchKey, limits.searchCountMax)
		: searchKey !== '' && (await isBroadSearch(deps.db, 'orders_search', searchKey, limits.searchCountMax));
	return { searchKey, status, sort, isBroad };
}

/** Counts the orders. In a search, counts at most `searchCountMax` + 1. */
async function countOrders(deps: Deps, condition: queries.OrdersCondition): Promise<number> {
	if (condition.searchKey !== '') return queries.countMatches(deps.db, condition, limits.searchCountMax + 1);
	const totals = await queries.getTotals(deps.db);
	const counts = { All: totals.orders, Complete: totals.complete, Pending: totals.orders - totals.complete };
	return counts[condition.status];
}

export function readOrdersInSteps(db: Db, condition: queries.OrdersCondition, rowsPerStep: number) {
	const read = (after: queries.OrdersQuery['after']) =>
		queries.listOrders(db, { ...condition, after, limit: rowsPerStep });
	return readInSteps(null, rowsPerStep, read, ({ created_at, id }) => ({ createdAt: created_at, id }));
}

const rowsPerBatch = 50;

/** Yields the orders that match a filter, in its sort order and without the test order; at most 50 are in memory. */
export async function* streamOrders(deps: Deps, filter: OrdersFilter): AsyncGenerator<ExportedOrder> {
	const condition = await createCondition(deps, filter);
	for await (const rows of readOrdersInSteps(deps.db, condition, rowsPerBatch)) {
		for (const { order, proofs } of await presentWithProofs(deps, rows))
			if (!order.isTest)
				yield { ...order, utrs: [...new Set(proofs.flatMap((proof) => unsealUtr(deps, proof) ?? []))] };
		// SQLite queries block the event loop: without yielding, all other requests would wait for the whole file.
		await yieldToEventLoop();
	}
}

export type ExportedOrder = Order & { utrs: string[] };

/** Returns the figures of the summary tiles; sales are in rupees. Source: the specification's section 9. */
export async function summarizeOrders(deps: Deps) {
	const { discountedPaise } = await getBook(deps, deps.db);
	const totals = await queries.getTotals(deps.db);
	return {
		total: totals.orders,
		pending: totals.orders - totals.complete,
		complete: totals.complete,
		totalSales: (totals.paise + totals.unpriced * discountedPaise) / 100,
		verifiedSales: (totals.complete_paise + totals.unpriced_complete * discountedPaise) / 100,
	};
}

const daysPerStep = 10;

/** Returns the sales of the last days, oldest first. An order without a price counts at the current price. */
export async function listSalesDays(deps: Deps, count: number): Promise<{ items: SalesDay[] }> {
	const zone = deps.config.TIME_ZONE;
	const days = lastDays(dayOf(isoAt(deps.clock), zone), count, zone);
	const { discountedPaise } = await getBook(deps, deps.db);
	const sums = new Map<string, Awaited<ReturnType<typeof queries.sumDays>>[number]>();
	for (let start = 0; start < days.length; start += daysPerStep) {
		const step = days.slice(start, start + daysPerStep);
		for (const sum of await queries.sumDays(deps.db, step, discountedPaise)) sums.set(sum.day, sum);
		await yieldToEventLoop();
	}
	return {
		items: days.map(({ day }) => {
			const sum = sums.get(day);
			return {
				day,
				orders: sum?.orders ?? 0,
				totalSales: (sum?.totalPaise ?? 0) / 100,
				verifiedSales: (sum?.verifiedPaise ?? 0) / 100,
			};
		}),
	};
}

/** @throws AppError ORDER_GONE */
export async function getOrder(deps: Deps, id: string): Promise<Order> {
	const row = required(await queries.findOrder(deps.db, id), 'ORDER_GONE');
	const [order] = await presentOrders(deps, [row]);
	return required(order, 'ORDER_GONE');
}

export async function listOwnOrders(deps: Deps, userId: string) {
	const rows = await queries.listOrdersOfUser(deps.db, userId);
	return (await presentWithProofs(deps, rows)).map(({ order, proofs }) => {
		const { code, name, email, phone, upiId, status, price, createdAt } = order;
		const proofDetails = proofs.map((proof) => ({
			name: proof.name,
			phone: proof.phone,
			upiId: deps.secrets.unseal(upiContext, proof.upi_id_sealed),
			utr: unsealUtr(deps, proof),
			createdAt: proof.created_at,
		}));
		return { code, name, email, phone, upiId, status, price, createdAt, proofs: proofDetails };
	});
}

/** Lists a user's orders as the orders page shows them, newest first, each with its proofs. */
export async function listOrdersOfUser(deps: Deps, userId: string): Promise<UserOrder[]> {
	const rows = (await queries.listOrdersOfUser(deps.db, userId)).toReversed();
	const { title } = await getBook(deps, deps.db);
	return (await presentWithProofs(deps, rows)).map(({ order, proofs }) => ({
		...order,
		title,
		utr: newestUtr(deps, proofs),
		proofs: proofs.map(({ id, created_at: createdAt }) => ({ id, url: proofUrl(id), createdAt })),
	}));
}

/** Publishes events that make the orders page and the buyer's open pages refetch their data. */
export function publishOrders(deps: Deps, userId: string | null): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'orders' } });
	if (userId !== null)
		deps.bus.publish({ kind: 'event', audience: { to: 'user', userId }, event: { topic: 'book-access' } });
}
