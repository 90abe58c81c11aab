import * as z from 'zod';
import type { Order, OrderStatus, Proof } from '#contract/orders/orders.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { newId, newOrderCode } from '../../platform/ids.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { getBook } from '../settings/settings.service.ts';
import { findOddFields } from './odd-fields.ts';
import * as queries from './orders.queries.ts';

const upiContext = 'orders.upi_id';
const place = z.tuple([z.string(), z.string()]);

/** One page of the desk, newest first. */
export async function listOrders(
	deps: Deps,
	input: {
		search?: string | undefined;
		status: queries.OrdersQuery['status'];
		cursor?: string | undefined;
		limit: number;
	},
): Promise<{ items: Order[]; nextCursor: string | null; total: number }> {
	const after = unpackCursor(input.cursor, place);
	const query = { searchKey: searchKeyOf(input.search ?? ''), status: input.status };
	const rows = await queries.listOrders(deps.db, {
		...query,
		after: after && { createdAt: after[0], id: after[1] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: await presentOrders(deps, page),
		nextCursor: rows.length > page.length && last ? packCursor([last.created_at, last.id]) : null,
		total: await queries.countOrders(deps.db, query),
	};
}

/** The tiles, in rupees. Total Sales is the sum of every order's totalPrice. Source: the specification's section 9. */
export async function summariseOrders(deps: Deps) {
	const { discountedPaise } = await getBook(deps, deps.db);
	const sums = await queries.sumOrders(deps.db, discountedPaise);
	return {
		total: sums.total,
		pending: sums.total - sums.complete,
		complete: sums.complete,
		totalSales: sums.totalPaise / 100,
		verifiedSales: sums.verifiedPaise / 100,
	};
}

export interface OrderInput {
	id: string;
	name: string;
	email: string;
	phone: string;
	upiId: string;
	status: OrderStatus;
	version: number;
}

/**
 * Saves a row as edited. Complete opens the book to the buyer, Pending closes it, on open pages too.
 * @throws AppError ORDER_GONE, ORDER_STALE
 */
export async function updateOrder(deps: Deps, caller: Caller, input: OrderInput): Promise<Order> {
	const userId = await inTransaction(deps.db, async (tx) => {
		const order = await queries.findOrderForUpdate(tx, input.id);
		if (order === undefined) throw new AppError('ORDER_GONE');
		if (order.version !== input.version) throw new AppError('ORDER_STALE');
		await queries.updateOrder(tx, order.id, {
			name: input.name,
			email: input.email,
			phone: input.phone,
			upi_id_sealed: deps.secrets.seal(upiContext, input.upiId),
			search_key: searchKeyOf(`${input.name}\n${input.email}`),
			status: input.status,
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
		await recordAudit(deps, tx, caller, {
			action: 'order-updated',
			subjectKind: 'order',
			subjectId: order.id,
			detail: { code: order.code, from: order.status ?? 'Pending', to: input.status },
		});
		return order.user_id;
	});
	publishOrders(deps, userId);
	return getOrder(deps, input.id);
}

/** Permanent: the order and its proofs. @throws AppError ORDER_GONE */
export async function removeOrder(deps: Deps, caller: Caller, id: string): Promise<void> {
	const userId = await inTransaction(deps.db, async (tx) => {
		const order = await queries.findOrderForUpdate(tx, id);
		if (order === undefined) throw new AppError('ORDER_GONE');
		await queries.deleteOrder(tx, id);
		await recordAudit(deps, tx, caller, {
			action: 'order-deleted',
			subjectKind: 'order',
			subjectId: id,
			detail: { code: order.code },
		});
		return order.user_id;
	});
	publishOrders(deps, userId);
}

/** An order's proofs, newest first, with what each form said otherwise. @throws AppError ORDER_GONE */
export async function listProofs(deps: Deps, orderId: string): Promise<Proof[]> {
	const order = await queries.findOrder(deps.db, orderId);
	if (order === undefined) throw new AppError('ORDER_GONE');
	const upiId = deps.secrets.unseal(upiContext, order.upi_id_sealed);
	return (await queries.listProofs(deps.db, [orderId])).map((proof) => {
		const proofUpiId = deps.secrets.unseal(upiContext, proof.upi_id_sealed);
		return {
			id: proof.id,
			url: proofUrl(proof.id),
			createdAt: proof.created_at,
			proposals: {
				name: proof.name === order.name ? null : proof.name,
				phone: proof.phone === order.phone ? null : proof.phone,
				upiId: proofUpiId === upiId ? null : proofUpiId,
			},
		};
	});
}

/** The blob of a proof's picture. @throws AppError NOT_FOUND */
export async function requireProofBlobId(deps: Deps, proofId: string, isThumb: boolean): Promise<string> {
	const proof = await queries.findProof(deps.db, proofId);
	if (proof === undefined) throw new AppError('NOT_FOUND');
	return isThumb ? proof.thumb_blob_id : proof.blob_id;
}

export interface Submission {
	userId: string;
	name: string;
	email: string;
	phone: string;
	upiId: string;
	blobId: string;
	thumbBlobId: string;
}

/** What a buyer's mail tells about the order. */
export interface PlacedOrder {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

/**
 * A purchase inside the caller's transaction: a new order at the price of this moment, or one more proof on the
 * person's open order. The caller holds the person's row lock, so that two submissions make one order.
 */
export async function placeOrder(deps: Deps, tx: Db, caller: Caller, submission: Submission): Promise<PlacedOrder> {
	const now = isoAt(deps.clock);
	const book = await getBook(deps, tx);
	const upiSealed = deps.secrets.seal(upiContext, submission.upiId);
	const open = await queries.findOpenOrder(tx, submission.userId);
	const orderId = open?.id ?? newId();
	const code = open?.code ?? (await newCode(tx, book.title));
	if (open === undefined) {
		await queries.insertOrder(tx, {
			id: orderId,
			code,
			user_id: submission.userId,
			name: submission.name,
			email: submission.email,
			phone: submission.phone,
			upi_id_sealed: upiSealed,
			search_key: searchKeyOf(`${submission.name}\n${submission.email}`),
			price_paise: book.discountedPaise,
			status: 'Pending',
			created_at: now,
			updated_at: now,
		});
	} else {
		// The desk sees one proof more, so a row edited meanwhile is stale.
		await queries.updateOrder(tx, orderId, { updated_at: now, version: open.version + 1 });
	}
	await queries.insertProof(tx, {
		id: newId(),
		order_id: orderId,
		blob_id: submission.blobId,
		thumb_blob_id: submission.thumbBlobId,
		name: submission.name,
		phone: submission.phone,
		upi_id_sealed: upiSealed,
		created_at: now,
	});
	await recordAudit(deps, tx, caller, {
		action: open === undefined ? 'order-placed' : 'proof-added',
		subjectKind: 'order',
		subjectId: orderId,
		detail: { code },
	});
	return {
		code,
		title: book.title,
		pricePaise: open?.price_paise ?? book.discountedPaise,
		receivedAt: open?.created_at ?? now,
	};
}

/** Whether a person may read the book: an order that is Complete. */
export function findBookAccess(db: Db, userId: string): Promise<'none' | 'pending' | 'open'> {
	return queries.findOrderState(db, userId);
}

/** Tells the desk, and the buyer's open pages, to look again. */
export function publishOrders(deps: Deps, userId: string | null): void {
	deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'orders' } });
	if (userId !== null)
		deps.bus.publish({ kind: 'hint', audience: { to: 'user', userId }, hint: { topic: 'book-access' } });
}

async function newCode(tx: Db, title: string): Promise<string> {
	let code = newOrderCode(title);
	while (await queries.hasOrderCode(tx, code)) code = newOrderCode(title);
	return code;
}

async function getOrder(deps: Deps, id: string): Promise<Order> {
	const row = await queries.findOrder(deps.db, id);
	const [order] = row === undefined ? [] : await presentOrders(deps, [row]);
	if (order === undefined) throw new AppError('ORDER_GONE');
	return order;
}

/** A person's own orders, and when which proof came with which details: what the person typed, and what became of it. */
export async function listOrdersOf(deps: Deps, userId: string) {
	const rows = await queries.listOrdersOfUser(deps.db, userId);
	const ids = rows.map((row) => row.id);
	const proofs = ids.length === 0 ? [] : await queries.listProofs(deps.db, ids);
	return (await presentOrders(deps, rows)).map((order) => ({
		code: order.code,
		name: order.name,
		email: order.email,
		phone: order.phone,
		upiId: order.upiId,
		status: order.status,
		price: order.price,
		createdAt: order.createdAt,
		proofs: proofs
			.filter((proof) => proof.order_id === order.id)
			.map((proof) => ({
				name: proof.name,
				phone: proof.phone,
				upiId: deps.secrets.unseal(upiContext, proof.upi_id_sealed),
				createdAt: proof.created_at,
			})),
	}));
}

async function presentOrders(deps: Deps, rows: queries.OrderRow[]): Promise<Order[]> {
	if (rows.length === 0) return [];
	const { discountedPaise } = await getBook(deps, deps.db);
	const proofs = Map.groupBy(
		await queries.listProofs(
			deps.db,
			rows.map((row) => row.id),
		),
		(proof) => proof.order_id,
	);
	return rows.map((row) => {
		const upiId = deps.secrets.unseal(upiContext, row.upi_id_sealed);
		const own = proofs.get(row.id) ?? [];
		return {
			id: row.id,
			code: row.code,
			name: row.name,
			email: row.email,
			phone: row.phone,
			upiId,
			screenshot: own[0] === undefined ? null : proofUrl(own[0].id),
			proofCount: own.length,
			status: row.status ?? 'Pending',
			price: row.price_paise === null ? null : row.price_paise / 100,
			totalPrice: (row.price_paise ?? discountedPaise) / 100,
			createdAt: row.created_at,
			orderDate: dayOf(row.created_at, deps.config.TIME_ZONE),
			version: row.version,
			oddFields: findOddFields({ phone: row.phone, upiId }),
		};
	});
}

function proofUrl(id: string): string {
	return `/api/proofs/${id}/image`;
}

function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
