import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import { m } from '#messages';

/** How long toasts stay, in milliseconds, and how many at most. Source: the specification's section 9. */
export const toastMs = { admin: 3000, files: 4000, filesSuccess: 2000 } as const;
export const toastLimit = 20;

/** Says that something worked. */
export function toastSuccess(message: ReactNode, durationMs: number = toastMs.admin): string {
	return show(message, durationMs, 'success');
}

/** The toast of the form that was saved last. */
let savedToast: string | undefined;

/** Says that a form was saved. The form stays open: `dismissSaved` takes the toast away when something is typed in it. */
export function toastSaved(message: ReactNode, durationMs?: number): void {
	savedToast = toastSuccess(message, durationMs);
}

/** Takes away the toast of a saved form, which no longer shows what was saved. */
export function dismissSaved(): void {
	if (savedToast !== undefined) dismissToast(savedToast);
	savedToast = undefined;
}

/** Says that something failed. */
export function toastError(message: ReactNode, durationMs: number = toastMs.admin): string {
	return show(message, durationMs, 'error');
}

/** Takes a toast away before its time. */
export function dismissToast(id: string): void {
	notifications.hide(id);
}

function show(message: ReactNode, autoClose: number, kind: 'success' | 'error'): string {
	// Some of the specified sentences carry their mark themselves.
	const isMarked = typeof message === 'string' && /^[❌✅]/u.test(message);
	return notifications.show({
		message,
		autoClose,
		icon: isMarked
			? undefined
			: createElement(kind === 'success' ? IconCheck : IconAlertTriangle, { size: 18, stroke: 1.5 }),
		closeButtonProps: { 'aria-label': m.common_close() },
		'data-kind': kind,
		role: kind === 'success' ? 'status' : 'alert',
	} as Parameters<typeof notifications.show>[0]);
}
