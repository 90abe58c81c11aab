import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { contentFields } from '#contract/storefront/content-fields.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure, isFinalRejection } from '#web/platform/api/failure.ts';
import { endSessionOnAuthFailure } from '#web/platform/api/query-client.ts';
import { onReconnected } from '#web/platform/events/connection-status.ts';
import { onReauthenticated } from '#web/platform/session/reauthentication.ts';
import { useMe } from '#web/platform/session/session.ts';
import { beforeSignOut } from '#web/platform/session/session-end.ts';
import { createDraftSaver, type SaveFailure } from './draft-saver.ts';
import { createUnsavedStore } from './unsaved-fields.ts';

/** Loads the draft, and saves what is typed until the screen is left. */
export function useDraftSaver() {
	const { id } = useMe();
	const queryClient = useQueryClient();
	const options = api.storefrontContent.getDraft.queryOptions({ staleTime: 0 });
	const draft = useQuery(options);
	const refresh = async () => {
		const { fields } = await queryClient.fetchQuery(options);
		saver.receive(fields);
	};
	const [saver] = useState(() =>
		createDraftSaver({
			save: (field, value, version) => client.storefrontContent.saveField({ field, value, version }),
			refresh,
			describe: describeSaveFailure,
			validate,
			unsaved: createUnsavedStore(id),
		}),
	);
	const fields = draft.data?.fields;
	useEffect(() => {
		if (fields !== undefined) saver.receive(fields);
	}, [saver, fields]);
	useWindowEvent('online', saver.retry);
	useWindowEvent('visibilitychange', saver.flush);
	useEffect(() => {
		const stops = [
			onReconnected(saver.retry),
			onReauthenticated(saver.retry),
			beforeSignOut(async () => void (await saver.flush())),
		];
		return () => {
			for (const stop of stops) stop();
			void saver.flush();
		};
	}, [saver]);
	return { draft, saver, refresh };
}

function describeSaveFailure(error: unknown): SaveFailure {
	endSessionOnAuthFailure(error);
	const { code, message, fields } = describeFailure(error);
	if (code === 'STALE') return { kind: 'stale', message, errors: {} };
	if (code === 'INVALID_INPUT') {
		const errors = Object.entries(fields).map(([path, text]) => [path.replace(/^value\.?/u, ''), text]);
		return { kind: 'invalid', message, errors: errors.length === 0 ? { '': message } : Object.fromEntries(errors) };
	}
	return { kind: isFinalRejection(error) ? 'refused' : 'temporary', message, errors: {} };
}

const validate: Parameters<typeof createDraftSaver>[0]['validate'] = (field, value) => {
	const parsed = contentFields[field].safeParse(value);
	if (parsed.success) return { value: parsed.data, errors: {} };
	const errors: Record<string, string> = {};
	for (const { path, message } of parsed.error.issues) errors[path.join('.')] ??= errorText(message);
	return { value, errors };
};

/** Texts of the rules in content-fields.ts. */
const errorTexts: Record<string, () => string> = {
	error_field_required: m.error_field_required,
	error_field_too_long: m.error_field_too_long,
	error_address: m.error_address,
	error_address_or_path: m.error_address_or_path,
	error_color: m.error_color,
	error_nested_too_deeply: m.error_nested_too_deeply,
	error_too_many_benefits: m.error_too_many_benefits,
	error_too_many_excerpts: m.error_too_many_excerpts,
	error_too_many_links: m.error_too_many_links,
};

function errorText(key: string): string {
	return (errorTexts[key] ?? m.error_invalid_input)();
}
