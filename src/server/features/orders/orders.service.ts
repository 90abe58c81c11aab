import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import type { Order, OrderStatus, OrdersFilter, Proof, Repeat } from '#contract/orders/orders.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { TypedDetails } from '#contract/storefront/order-page.ts';
import type { Db } from '../../db/schema.ts';
import { hasTrigrams, isBroadSearch } from '../../db/search.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { newId, newOrderCode } from '../../platform/ids.ts';
import { findUserById } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { enqueueMail, mailedName } from '../mail/mail.service.ts';
import { getMailSettings } from '../settings/mail-settings.service.ts';
import { getBook } from '../settings/settings.service.ts';
import { findOddFields, isOddUtr } from './odd-fields.ts';
import {
	createMailLink,
	createSubmissionLink,
	listProofsOfLink,
	type OrderLink,
	type OrderLinkRow,
} from './order-links.service.ts';
import * as queries from './orders.queries.ts';
import { findRepeated, markProof, readUtr, type SeenPicture } from './proof-marks.service.ts';

const upiContext = 'orders.upi_id';
const place = z.tuple([z.string(), z.string()]);

const rowsLookedAtAtOnce = 30_000;

/** One page of the desk, newest first. */
export async function listOrders(
	deps: Deps,
	input: OrdersFilter & { cursor?: string | undefined; limit: number },
): Promise<{ items: Order[]; nextCursor: string | null; total: number; isMore: boolean }> {
	const after = unpackCursor(input.cursor, place);
	const query = await conditionOf(deps, input);
	const wanted = { ...query, after: after && { createdAt: after[0], id: after[1] }, limit: input.limit + 1 };
	const isShort = query.searchKey !== '' && !hasTrigrams(query.searchKey);
	const rows = isShort
		? await queries.listOrdersInSteps(deps.db, wanted, rowsLookedAtAtOnce)
		: await queries.listOrders(deps.db, wanted);
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	const isWhole = after === null && rows.length === page.length;
	const total = isWhole ? page.length : await countOrders(deps, query);
	return {
		items: await presentOrders(deps, page),
		nextCursor: rows.length > page.length && last ? packCursor([last.created_at, last.id]) : null,
		total: Math.min(total, query.searchKey === '' ? total : limits.countedMax),
		isMore: query.searchKey !== '' && total > limits.countedMax,
	};
}

type Condition = Awaited<ReturnType<typeof conditionOf>>;

async function conditionOf(deps: Deps, { search = '', status }: OrdersFilter) {
	const searchKey = searchKeyOf(search);
	const isBroad = searchKey !== '' && (await isBroadSearch(deps.db, 'orders_search', searchKey, limits.countedMax));
	return { searchKey, status, isBroad };
}

/** How many there are; of a search, one more than are counted where there are more. */
async function countOrders(deps: Deps, condition: Condition): Promise<number> {
	if (condition.searchKey !== '') return queries.countFound(deps.db, condition, limits.countedMax + 1);
	const totals = await queries.findTotals(deps.db);
	const counts = { All: totals.orders, Complete: totals.complete, Pending: totals.orders - totals.complete };
	return counts[condition.status];
}

const rowsPerStep = 50;

/** All orders that a filter leaves, newest first, a step at a time: never more than 50 are held. */
export async function* streamOrders(deps: Deps, filter: OrdersFilter): AsyncGenerator<ExportedOrder> {
	const condition = await conditionOf(deps, filter);
	for (let after: queries.OrdersQuery['after'] = null; ; ) {
		const rows: queries.OrderRow[] = await queries.listOrders(deps.db, { ...condition, after, limit: rowsPerStep });
		yield* await presentForExport(deps, rows);
		// SQLite answers at once: without a turn of the event loop everybody else would wait for the whole file.
		await setImmediate();
		const last = rows.at(-1);
		if (last === undefined || rows.length < rowsPerStep) return;
		after = { createdAt: last.created_at, id: last.id };
	}
}

export type ExportedOrder = Order & { utrs: string[] };

async function presentForExport(deps: Deps, rows: queries.OrderRow[]): Promise<ExportedOrder[]> {
	if (rows.length === 0) return [];
	const proofs = await listProofsOf(deps, rows);
	const utrs = Map.groupBy(proofs, (proof) => proof.order_id);
	return (await presentOrders(deps, rows, proofs)).map((order) => ({
		...order,
		utrs: [...new Set((utrs.get(order.id) ?? []).flatMap((proof) => readUtr(deps, proof) ?? []))],
	}));
}

/** The tiles, in rupees. Total Sales is the sum of every order's totalPrice. Source: the specification's section 9. */
export async function summariseOrders(deps: Deps) {
	const { discountedPaise } = await getBook(deps, deps.db);
	const totals = await queries.findTotals(deps.db);
	return {
		total: totals.orders,
		pending: totals.orders - totals.complete,
		complete: totals.complete,
		totalSales: (totals.paise + totals.unpriced * discountedPaise) / 100,
		verifiedSales: (totals.complete_paise + totals.unpriced_complete * discountedPaise) / 100,
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
		if (input.status === 'Complete' && order.status !== 'Complete')
			await completeOrder(deps, tx, { ...order, name: input.name });
		await recordUpdate(deps, tx, caller, order, input.status);
		return order.user_id;
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
	return getOrder(deps, input.id);
}

/** Who saved an order, and which status it had before. */
export function recordUpdate(
	deps: Deps,
	tx: Db,
	caller: Caller,
	order: queries.OrderRow,
	to: OrderStatus,
): Promise<void> {
	return recordAudit(deps, tx, caller, {
		action: 'order-updated',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code, from: order.status ?? 'Pending', to },
	});
}

/**
 * The order is paid: what was asked of the buyer is answered, and the receipt goes to the order's account, once to
 * each address, however often the status goes back and forth.
 */
export async function completeOrder(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	const buyer = order.user_id === null ? undefined : await findUserById(tx, order.user_id);
	const isReceiptDue = buyer !== undefined && buyer.email !== order.receipt_to;
	await queries.updateOrder(tx, order.id, {
		completed_at: isoAt(deps.clock),
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
		...(isReceiptDue && { receipt_to: buyer.email }),
	});
	if (!isReceiptDue) return;
	const { seller } = await getMailSettings(tx);
	await enqueueMail(deps, tx, {
		kind: 'receipt',
		to: buyer.email,
		locale: order.locale ?? 'en',
		name: mailedName(order.name),
		order: await linesOf(deps, tx, order),
		paidAt: isoAt(deps.clock),
		seller,
		statusToken: (await createMailLink(deps, tx, order.id)).token,
	});
}

/**
 * The owner's note for the buyer, and with `isProofWanted` the wish for a new proof, which is mailed too. The row's
 * version stays: a note changes nothing that an Update saves.
 * @throws AppError ORDER_GONE, ORDER_STALE when another note stands there by now, ORDER_COMPLETE
 */
export async function writeNote(
	deps: Deps,
	caller: Caller,
	input: { id: string; note: string; was: string | null; isProofWanted: boolean },
): Promise<Order> {
	const userId = await inTransaction(deps.db, async (tx) => {
		const order = await queries.findOrderForUpdate(tx, input.id);
		if (order === undefined) throw new AppError('ORDER_GONE');
		if (order.note !== input.was) throw new AppError('ORDER_STALE');
		if (input.isProofWanted && order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
		const now = isoAt(deps.clock);
		const note = input.note === '' ? null : input.note;
		await queries.updateOrder(tx, order.id, {
			note,
			note_at: note === null ? null : now,
			...(input.isProofWanted ? { proof_wanted_at: now } : note === null && { proof_wanted_at: null }),
		});
		if (input.isProofWanted) await mailProofWanted(deps, tx, { ...order, note });
		await recordAudit(deps, tx, caller, {
			action: input.isProofWanted ? 'proof-wanted' : 'order-note-written',
			subjectKind: 'order',
			subjectId: order.id,
			detail: { code: order.code, note },
		});
		return order.user_id;
	});
	deps.wakeWorkers();
	publishOrders(deps, userId);
	return getOrder(deps, input.id);
}

async function mailProofWanted(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	const buyer = order.user_id === null ? undefined : await findUserById(tx, order.user_id);
	if (buyer === undefined) return;
	await enqueueMail(deps, tx, {
		kind: 'proof-wanted',
		to: buyer.email,
		locale: order.locale ?? 'en',
		name: mailedName(order.name),
		note: order.note ?? '',
		order: await linesOf(deps, tx, order),
		statusToken: (await createMailLink(deps, tx, order.id)).token,
	});
}

async function linesOf(deps: Deps, tx: Db, order: queries.OrderRow): Promise<PlacedOrder> {
	const book = await getBook(deps, tx);
	return {
		code: order.code,
		title: book.title,
		pricePaise: order.price_paise ?? book.discountedPaise,
		receivedAt: order.created_at,
	};
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
	const proofs = await queries.listProofs(deps.db, [orderId]);
	const repeated = await findRepeated(deps.db, proofs);
	return proofs.map((proof) => {
		const utr = readUtr(deps, proof);
		const proofUpiId = deps.secrets.unseal(upiContext, proof.upi_id_sealed);
		return {
			id: proof.id,
			url: proofUrl(proof.id),
			createdAt: proof.created_at,
			utr,
			isUtrOdd: utr !== null && isOddUtr(utr),
			repeats: repeatsOf(proof, repeated),
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
	/** Whether the person's account was made for this very submission. */
	madeAccount?: boolean;
	/** '' for none. */
	utr: string;
	picture: SeenPicture;
}

/** What a buyer's mail tells about the order. */
export interface PlacedOrder {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

/** What came of a submission: the order's lines, and the submission's own link to the status page. */
export interface PlacedSubmission {
	orderId: string;
	isNew: boolean;
	lines: PlacedOrder;
	link: OrderLink;
}

/**
 * A purchase inside the caller's transaction: a new order at the price of this moment, or one more proof on the
 * person's open order. The caller holds the person's row lock, so that two submissions make one order.
 */
export async function placeOrder(
	deps: Deps,
	tx: Db,
	caller: Caller,
	submission: Submission,
): Promise<PlacedSubmission> {
	const now = isoAt(deps.clock);
	const book = await getBook(deps, tx);
	const open = await queries.findOpenOrder(tx, submission.userId);
	const order = open ?? (await insertNewOrder(deps, tx, { ...submission, locale: caller.locale }, book));
	const link = await createSubmissionLink(deps, tx, {
		orderId: order.id,
		email: submission.email,
		madeAccount: submission.madeAccount === true,
	});
	const proofId = await insertProof(deps, tx, order.id, { ...submission, linkId: link.id });
	if (open !== undefined) await noteProof(deps, tx, open);
	await markProof(deps, tx, { id: proofId, utr: submission.utr, picture: submission.picture });
	await recordAudit(deps, tx, caller, {
		action: open === undefined ? 'order-placed' : 'proof-added',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code },
	});
	const lines = {
		code: order.code,
		title: book.title,
		pricePaise: order.price_paise ?? book.discountedPaise,
		receivedAt: open?.created_at ?? now,
	};
	return { orderId: order.id, isNew: open === undefined, lines, link };
}

interface NewOrder extends Pick<Submission, 'userId' | 'name' | 'email' | 'phone' | 'upiId'> {
	locale: Locale;
	/** Of an order that is made anew for one that was received before. */
	since?: { pricePaise: number | null; createdAt: string };
}

/** A Pending order without a proof: the caller adds one. */
export async function insertNewOrder(
	deps: Deps,
	tx: Db,
	order: NewOrder,
	book: { title: string; discountedPaise: number },
) {
	const now = isoAt(deps.clock);
	const row = {
		id: newId(),
		code: await newCode(tx, book.title),
		user_id: order.userId,
		name: order.name,
		email: order.email,
		phone: order.phone,
		upi_id_sealed: deps.secrets.seal(upiContext, order.upiId),
		search_key: searchKeyOf(`${order.name}\n${order.email}`),
		price_paise: order.since === undefined ? book.discountedPaise : order.since.pricePaise,
		status: 'Pending',
		created_at: order.since?.createdAt ?? now,
		updated_at: now,
		locale: order.locale,
	} as const;
	await queries.insertOrder(tx, row);
	return row;
}

/** What came with one picture. */
interface NewProof extends Pick<Submission, 'name' | 'phone' | 'upiId' | 'blobId' | 'thumbBlobId'> {
	linkId: string | null;
}

/** @returns its id */
async function insertProof(deps: Deps, tx: Db, orderId: string, proof: NewProof): Promise<string> {
	const id = newId();
	await queries.insertProof(tx, {
		id,
		order_id: orderId,
		blob_id: proof.blobId,
		thumb_blob_id: proof.thumbBlobId,
		name: proof.name,
		phone: proof.phone,
		upi_id_sealed: deps.secrets.seal(upiContext, proof.upiId),
		created_at: isoAt(deps.clock),
		link_id: proof.linkId,
	});
	return id;
}

/** The desk sees one proof more, so a row edited meanwhile is stale; whoever asked for one has it. */
async function noteProof(deps: Deps, tx: Db, order: queries.OrderRow): Promise<void> {
	await queries.updateOrder(tx, order.id, {
		updated_at: isoAt(deps.clock),
		version: order.version + 1,
		...(order.proof_wanted_at !== null && { proof_wanted_at: null, note: null, note_at: null }),
	});
}

/**
 * One more proof on an order that is there, with the details of `typed`, or else of the order.
 * @throws AppError NOT_FOUND, ORDER_COMPLETE
 */
export async function addProof(
	deps: Deps,
	tx: Db,
	caller: Caller,
	proof: Pick<Submission, 'blobId' | 'thumbBlobId' | 'utr' | 'picture'> & { orderId: string; linkId: string | null },
): Promise<{ userId: string | null }> {
	const order = await queries.findOrderForUpdate(tx, proof.orderId);
	if (order === undefined) throw new AppError('NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const [typed] = proof.linkId === null ? [] : await listProofsOfLink(tx, proof.linkId);
	const { name, phone, upi_id_sealed } = typed ?? order;
	const upiId = deps.secrets.unseal(upiContext, upi_id_sealed);
	const proofId = await insertProof(deps, tx, order.id, { ...proof, name, phone, upiId });
	await noteProof(deps, tx, order);
	await markProof(deps, tx, { id: proofId, utr: proof.utr, picture: proof.picture });
	await recordAudit(deps, tx, caller, {
		action: 'proof-added',
		subjectKind: 'order',
		subjectId: order.id,
		detail: { code: order.code },
	});
	return { userId: order.user_id };
}

/** The order of a link, with its price and the book's title. @throws AppError NOT_FOUND */
export async function requireOrderOfLink(deps: Deps, link: OrderLinkRow) {
	const order = await queries.findOrder(deps.db, link.order_id);
	if (order === undefined) throw new AppError('NOT_FOUND');
	const { pricePaise, title } = await linesOf(deps, deps.db, order);
	return { ...order, pricePaise, title };
}

/** What a submission said itself. */
export async function readSubmission(deps: Deps, db: Db, linkId: string, email: string): Promise<TypedDetails> {
	const proofs = await listProofsOfLink(db, linkId);
	const [first] = proofs;
	return {
		name: first?.name ?? '',
		phone: first?.phone ?? '',
		email,
		upiId: first === undefined ? '' : deps.secrets.unseal(upiContext, first.upi_id_sealed),
		utr: newestUtr(deps, proofs.toReversed()),
		proofCount: proofs.length,
	};
}

export function countOrdersOf(tx: Db, userId: string): Promise<number> {
	return queries.countOrdersOfUser(tx, userId);
}

/**
 * The order of a submission, locked, and whether others have sent proofs for it too.
 * @throws AppError NOT_FOUND, ORDER_COMPLETE
 */
export async function requireMovable(
	tx: Db,
	link: OrderLinkRow,
): Promise<{ order: queries.OrderRow; hasOthers: boolean }> {
	const order = await queries.findOrderForUpdate(tx, link.order_id);
	if (order === undefined) throw new AppError('NOT_FOUND');
	if (order.status === 'Complete') throw new AppError('ORDER_COMPLETE');
	const proofs = await queries.listProofs(tx, [order.id]);
	return { order, hasOthers: proofs.some((proof) => proof.link_id !== link.id) };
}

interface Move {
	link: OrderLinkRow;
	order: queries.OrderRow;
	hasOthers: boolean;
	user: { id: string };
	email: string;
}

/**
 * What a submission brought stands under another person from now on: the order itself under a new code, or a new one
 * where others have sent proofs for it. The caller moves the link and its proofs.
 */
export async function moveSubmission(
	deps: Deps,
	tx: Db,
	caller: Caller,
	{ link, order, hasOthers, user, email }: Move,
): Promise<{ orderId: string; lines: PlacedOrder }> {
	const book = await getBook(deps, tx);
	const moved = hasOthers
		? await splitOrder(deps, tx, { link, order, user, email }, book)
		: { ...order, code: await newCode(tx, book.title) };
	if (!hasOthers) {
		await queries.updateOrder(tx, order.id, {
			code: moved.code,
			user_id: user.id,
			email,
			search_key: searchKeyOf(`${order.name}\n${email}`),
			updated_at: isoAt(deps.clock),
			version: order.version + 1,
		});
	}
	await recordAudit(deps, tx, caller, {
		action: 'order-address-corrected',
		subjectKind: 'order',
		subjectId: moved.id,
		detail: { code: moved.code, from: `${link.email} (${order.code})`, to: email },
	});
	const pricePaise = moved.price_paise ?? book.discountedPaise;
	return {
		orderId: moved.id,
		lines: { code: moved.code, title: book.title, pricePaise, receivedAt: moved.created_at },
	};
}

/** A new order for what one submission brought to an order of others, which keeps the details of theirs. */
async function splitOrder(
	deps: Deps,
	tx: Db,
	{ link, order, user, email }: Omit<Move, 'hasOthers'>,
	book: { title: string; discountedPaise: number },
) {
	const { name, phone, upiId } = await readSubmission(deps, tx, link.id, email);
	const proofs = (await queries.listProofs(tx, [order.id])).toReversed();
	// Nobody gets the price of an order that others had made before they came.
	const pricePaise = proofs[0]?.link_id === link.id ? order.price_paise : book.discountedPaise;
	const since = { pricePaise, createdAt: link.created_at };
	const locale = order.locale ?? 'en';
	const made = await insertNewOrder(deps, tx, { userId: user.id, name, phone, upiId, email, locale, since }, book);
	const kept = proofs.find((proof) => proof.link_id !== link.id);
	const isHeadOurs = order.name === name && order.phone === phone;
	await queries.updateOrder(tx, order.id, {
		version: order.version + 1,
		updated_at: isoAt(deps.clock),
		...(isHeadOurs &&
			kept !== undefined && {
				name: kept.name,
				phone: kept.phone,
				upi_id_sealed: kept.upi_id_sealed,
				search_key: searchKeyOf(`${kept.name}\n${order.email}`),
			}),
	});
	return made;
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

/** @throws AppError ORDER_GONE */
export async function getOrder(deps: Deps, id: string): Promise<Order> {
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
				utr: readUtr(deps, proof),
				createdAt: proof.created_at,
			})),
	}));
}

async function presentOrders(
	deps: Deps,
	rows: queries.OrderRow[],
	known?: queries.ProofRow[] | undefined,
): Promise<Order[]> {
	if (rows.length === 0) return [];
	const { discountedPaise } = await getBook(deps, deps.db);
	const allProofs = known ?? (await listProofsOf(deps, rows));
	const repeated = await findRepeated(deps.db, allProofs);
	const proofs = Map.groupBy(allProofs, (proof) => proof.order_id);
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
			oddFields: findOddFields({ name: row.name, phone: row.phone, upiId, utr: newestUtr(deps, own) }),
			repeats: uniqueRepeats(own.flatMap((proof) => repeatsOf(proof, repeated))),
			note: row.note,
			isProofWanted: row.proof_wanted_at !== null,
		};
	});
}

function listProofsOf(deps: Deps, rows: queries.OrderRow[]): Promise<queries.ProofRow[]> {
	return queries.listProofs(
		deps.db,
		rows.map(({ id }) => id),
	);
}

/** What the person said last. */
function newestUtr(deps: Deps, newestFirst: queries.ProofRow[]): string | null {
	const proof = newestFirst.find(({ utr_sealed }) => utr_sealed !== null);
	return proof === undefined ? null : readUtr(deps, proof);
}

function repeatsOf(proof: queries.ProofRow, repeated: Awaited<ReturnType<typeof findRepeated>>): Repeat[] {
	const marks = [
		['utr', proof.same_utr_as],
		['picture', proof.same_picture_as],
	] as const;
	return marks.flatMap(([kind, id]) => {
		const order = id === null ? undefined : repeated.get(id);
		return order === undefined ? [] : [{ kind, code: order.code, isOwnOrder: order.orderId === proof.order_id }];
	});
}

/** The order itself is marked for what others have: whoever sends a proof again for their own has done no wrong. */
function uniqueRepeats(repeats: Repeat[]): Repeat[] {
	const others = repeats.filter(({ isOwnOrder }) => !isOwnOrder);
	return [...new Map(others.map((repeat) => [`${repeat.kind} ${repeat.code}`, repeat])).values()];
}

function proofUrl(id: string): string {
	return `/api/proofs/${id}/image`;
}

function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
