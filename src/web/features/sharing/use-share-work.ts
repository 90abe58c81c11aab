import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api.ts';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { toastMs, toastSuccess } from '#web/platform/toasts.ts';
import { toastShareFailure } from './share-toasts.tsx';

export type SharedThing = Pick<Node, 'id' | 'kind' | 'name'>;

/** What could not be shared of many, while the rest was. */
export interface ShareRefusals {
	title: string;
	list: { id: string; name: string; code: string; message: string }[];
}

/** What is refused for one is refused for all. */
const aboutThePerson = /^(?:RECIPIENT_|SHARE_WITH_ONESELF|OFFLINE|FORBIDDEN)/u;

/** Shares and unshares, and says what became of it. Each call resolves with the ids that it was done to. */
export function useShareWork() {
	const queryClient = useQueryClient();
	const [busy, setBusy] = useState<'share' | 'unshare'>();
	const [refusals, setRefusals] = useState<ShareRefusals | null>(null);

	async function run<T>(work: 'share' | 'unshare', doIt: () => Promise<T>): Promise<T> {
		setBusy(work);
		try {
			return await doIt();
		} finally {
			setBusy(undefined);
			void queryClient.invalidateQueries({ queryKey: api.sharing.key() });
		}
	}

	const share = (things: readonly SharedThing[], email: string): Promise<string[]> =>
		run('share', async () => {
			const done: string[] = [];
			const refused: { thing: SharedThing; failure: Failure }[] = [];
			for (const thing of things) {
				try {
					await client.sharing.share({ nodeId: thing.id, email });
					done.push(thing.id);
				} catch (error) {
					const failure = describeFailure(error);
					refused.push({ thing, failure });
					if (aboutThePerson.test(failure.code)) break;
				}
			}
			if (done.length > 0) toastSuccess(m.sharing_shared_with({ email }), toastMs.filesSuccess);
			// Of several, those that were shared before are as they were meant to be.
			const unmet = refused.filter(({ failure }) => failure.code !== 'ALREADY_SHARED');
			const forAll =
				unmet.find(({ failure }) => aboutThePerson.test(failure.code)) ?? (things.length === 1 && refused[0]);
			if (forAll) toastShareFailure('share', forAll.failure);
			else if (unmet.length > 0) setRefusals(refusalsOf(unmet));
			else if (done.length === 0 && refused[0] !== undefined) toastShareFailure('share', refused[0].failure);
			return done;
		});

	const unshare = (thing: SharedThing, email: string): Promise<string[]> =>
		run('unshare', async () => {
			try {
				await client.sharing.unshare({ nodeId: thing.id, email });
			} catch (error) {
				toastShareFailure('unshare', describeFailure(error));
				return [];
			}
			const said = thing.kind === 'folder' ? m.sharing_folder_unshared() : m.sharing_file_unshared();
			toastSuccess(said, toastMs.filesSuccess);
			return [thing.id];
		});

	return { share, unshare, busy, refusals, dismissRefusals: () => setRefusals(null) };
}

export type ShareWork = ReturnType<typeof useShareWork>;

function refusalsOf(refused: readonly { thing: SharedThing; failure: Failure }[]): ShareRefusals {
	return {
		title: m.sharing_refused_title({ count: formatCount(refused.length) }),
		list: refused.map(({ thing: { id, name }, failure: { code, message } }) => ({ id, name, code, message })),
	};
}
