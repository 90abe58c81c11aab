import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { createElement, type ReactNode } from 'react';
import { m } from '#messages';

/** Display time of toasts in ms. Source: the specification's section 9. */
export const toastMs = { admin: 3000, files: 4000, filesSuccess: 2000 } as const;
export const toastLimit = 20;

export function toastSuccess(message: ReactNode, durationMs: number = toastMs.admin): string {
	return show(message, durationMs, 'success');
}

let savedToast: string | undefined;

/** For forms that stay open after saving. The form must call `dismissSaved` when the user types again. */
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
	// Some messages already begin with an icon.
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
