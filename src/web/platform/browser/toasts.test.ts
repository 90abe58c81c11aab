import { notificationsStore } from '@mantine/notifications';
import { expect, test } from 'vitest';
import { dismissSaved, toastSaved, toastSuccess } from './toasts.ts';

test('dismissSaved dismisses only the toast of a saved form', () => {
	const messages = () => notificationsStore.getState().notifications.map(({ message }) => message);
	toastSuccess('The file is uploaded.');
	toastSaved('The settings are saved.');
	dismissSaved();
	expect(messages()).toEqual(['The file is uploaded.']);
	toastSaved('The settings are saved.');
	expect(messages()).toEqual(['The file is uploaded.', 'The settings are saved.']);
});
