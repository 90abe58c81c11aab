import type { Order } from '#contract/orders/orders.ts';
import type { Failure } from '#web/platform/api/failure.ts';

export type EditableField = 'name' | 'email' | 'phone' | 'upiId' | 'status';
export type OrderValues = Pick<Order, EditableField>;

/** The unsaved changes of a row. Fields without a change show the server's values. */
export interface OrderDraft {
	/** The order at the time of the last edit. */
	order: Order;
	changes: Partial<OrderValues>;
	/** The order's version at the first edit. A save sends this version, so that the server detects conflicts. */
	version: number;
	failure?: Failure | undefined;
}

export type OrderDrafts = Readonly<Record<string, OrderDraft>>;

export type DraftAction =
	| { type: 'edited'; order: Order; field: EditableField; value: string }
	| { type: 'refused'; order: Order; failure: Failure }
	/** `sent`: the values in the request. Edits made during the request stay in the draft. */
	| { type: 'saved'; order: Order; sent: Partial<OrderValues> }
	| { type: 'dropped'; id: string }
	| { type: 'allDropped' };

export function draftValues(order: Order, draft: OrderDraft | undefined): OrderValues {
	const { name, email, phone, upiId, status } = order;
	return { name, email, phone, upiId, status, ...draft?.changes };
}

/** Returns the version to send. After ORDER_STALE this is the new version, because the row shows its values. */
export function baseVersion(order: Order, draft: OrderDraft | undefined): number {
	return draft === undefined || draft.failure?.code === 'ORDER_STALE' ? order.version : draft.version;
}

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

/** Drafts that contain only an error are not included. */
export function countUnsaved(drafts: OrderDrafts): number {
	return Object.values(drafts).filter((draft) => Object.keys(draft.changes).length > 0).length;
}

function editDraft(drafts: OrderDrafts, order: Order, field: EditableField, value: string): OrderDrafts {
	const draft = drafts[order.id] ?? { order, changes: {}, version: order.version };
	const { [field]: _previous, ...otherChanges } = draft.changes;
	const changes: Partial<OrderValues> = value === order[field] ? otherChanges : { ...otherChanges, [field]: value };
	if (Object.keys(changes).length === 0) return removeDraft(drafts, order.id);
	const failure = draft.failure && clearFieldError(draft.failure, field);
	return { ...drafts, [order.id]: { ...draft, order, changes, failure } };
}

function clearFieldError(failure: Failure, field: EditableField): Failure {
	const { [field]: _gone, ...fields } = failure.fields;
	return { ...failure, fields };
}

function removeDraft(drafts: OrderDrafts, id: string): OrderDrafts {
	const { [id]: _gone, ...rest } = drafts;
	return rest;
}
