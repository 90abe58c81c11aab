import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import { m } from '#messages';

/** How long toasts stay, in milliseconds, and how many are shown at most. Source: the specification's section 9. */
export const toastMs = { admin: 3000, files: 4000, filesSuccess: 2000 } as const;
export const toastLimit = 20;

export function toastSuccess(message: ReactNode, durationMs: number = toastMs.admin): string {
	return show(message, durationMs, 'success');
}

let savedToast: string | undefined;

/** Says that a form was saved. The form stays open: `dismissSaved` removes the toast when the user types in it. */
export function toastSaved(message: ReactNode, durationMs?: number): void {
	savedToast = toastSuccess(message, durationMs);
}

export function dismissSaved(): void {
	if (savedToast !== undefined) dismissToast(savedToast);
	savedToast = undefined;
}

export function toastError(message: ReactNode, durationMs: number = toastMs.admin): string {
	return show(message, durationMs, 'error');
}

export function dismissToast(id: string): void {
	notifications.hide(id);
}

const icons = {
	success: createElement(IconCheck, { size: 18, stroke: 1.5, color: 'var(--positive)' }),
	error: createElement(IconAlertTriangle, { size: 18, stroke: 1.5, color: 'var(--negative)' }),
};

function show(message: ReactNode, autoClose: number, kind: 'success' | 'error'): string {
	// Some of the specified sentences already begin with an icon.
	const isMarked = typeof message === 'string' && /^[❌✅]/u.test(message);
	return notifications.show({
		message,
		autoClose,
		icon: isMarked ? undefined : icons[kind],
		closeButtonProps: { 'aria-label': m.common_close() },
		'data-kind': kind,
		role: kind === 'success' ? 'status' : 'alert',
	} as Parameters<typeof notifications.show>[0]);
}
