import type { Order } from '#contract/orders/orders.ts';
import type { Failure } from '#web/platform/api/failure.ts';

/** What can be edited in a row. */
const editableFields = ['name', 'email', 'phone', 'upiId', 'status'] as const;
export type EditableField = (typeof editableFields)[number];
export type OrderValues = Pick<Order, EditableField>;

/** What somebody typed into a row and has not saved. Only touched fields are in it: the others follow the server. */
export interface OrderDraft {
	/** As it was shown when something was typed last. */
	order: Order;
	changes: Partial<OrderValues>;
	/** The order's version when the typing began: a save sends it, so that a stale one is heard. */
	version: number;
	/** Why the last save was refused. */
	failure?: Failure | undefined;
}

export type OrderDrafts = Readonly<Record<string, OrderDraft>>;

export type DraftAction =
	| { type: 'edited'; order: Order; field: EditableField; value: string }
	| { type: 'refused'; order: Order; failure: Failure }
	/** `sent`: what the saved request carried; what was typed since stays a draft on the new version. */
	| { type: 'saved'; order: Order; sent: Partial<OrderValues> }
	| { type: 'dropped'; id: string }
	| { type: 'allDropped' };

/** The row's values as shown: typed ones over the server's. */
export function draftValues(order: Order, draft: OrderDraft | undefined): OrderValues {
	const { name, email, phone, upiId, status } = order;
	return { name, email, phone, upiId, status, ...draft?.changes };
}

/**
 * The version that a save is based on. After a refused stale save the person has seen what stands there now, so the
 * next one is based on that.
 */
export function baseVersion(order: Order, draft: OrderDraft | undefined): number {
	return draft === undefined || draft.failure?.code === 'ORDER_STALE' ? order.version : draft.version;
}

/** All unsaved rows after something happened. Pure. */
export function reduceDrafts(drafts: OrderDrafts, action: DraftAction): OrderDrafts {
	switch (action.type) {
		case 'edited':
			return editDraft(drafts, action.order, action.field, action.value);
		case 'refused': {
			const { order, failure } = action;
			const draft = drafts[order.id] ?? { order, changes: {}, version: order.version };
			return { ...drafts, [order.id]: { ...draft, failure } };
		}
		case 'saved': {
			const draft = drafts[action.order.id];
			const newerChanges = Object.entries(draft?.changes ?? {}).filter(
				([field, value]) => action.sent[field as EditableField] !== value,
			);
			if (newerChanges.length === 0) return removeDraft(drafts, action.order.id);
			const changes: Partial<OrderValues> = Object.fromEntries(newerChanges);
			return { ...drafts, [action.order.id]: { order: action.order, changes, version: action.order.version } };
		}
		case 'dropped':
			return removeDraft(drafts, action.id);
		case 'allDropped':
			return {};
	}
}

/** How many rows hold something unsaved; a refused save without changes is none. */
export function countUnsaved(drafts: OrderDrafts): number {
	return Object.values(drafts).filter((draft) => Object.keys(draft.changes).length > 0).length;
}

function editDraft(drafts: OrderDrafts, order: Order, field: EditableField, value: string): OrderDrafts {
	const draft = drafts[order.id] ?? { order, changes: {}, version: order.version };
	const { [field]: _before, ...others } = draft.changes;
	const changes: Partial<OrderValues> = value === order[field] ? others : { ...others, [field]: value };
	if (Object.keys(changes).length === 0) return removeDraft(drafts, order.id);
	const failure = draft.failure && clearFieldError(draft.failure, field);
	return { ...drafts, [order.id]: { ...draft, order, changes, failure } };
}

/** The sentence beside a field goes as soon as the field is corrected. */
function clearFieldError(failure: Failure, field: EditableField): Failure {
	const { [field]: _gone, ...fields } = failure.fields;
	return { ...failure, fields };
}

function removeDraft(drafts: OrderDrafts, id: string): OrderDrafts {
	const { [id]: _gone, ...rest } = drafts;
	return rest;
}
