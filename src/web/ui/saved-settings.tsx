import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { FailedQuery } from './faces.tsx';
import { Section } from './section.tsx';
import { SkeletonLines } from './skeleton.tsx';

interface SavedSettingsProps<Saved> {
	query: UseQueryResult<Saved>;
	/** What failed, in the specified words. */
	failed: string;
	/** Of the section around what stands there until the settings come; without it they have none of their own. */
	title?: string;
	/** Once they are there; `lookAgain` asks for the settings as they stand then, undefined where they cannot be had. */
	children: (saved: Saved, lookAgain: () => Promise<Saved | undefined>) => ReactNode;
}

/** Settings with their faces: loading, failed, and what is drawn of them. */
export function SavedSettings<Saved>({ query, failed, title, children }: SavedSettingsProps<Saved>) {
	if (query.data !== undefined) {
		const lookAgain = async () => {
			const { data, isError } = await query.refetch();
			return isError ? undefined : data;
		};
		return children(query.data, lookAgain);
	}
	const face = query.isError ? (
		<FailedQuery text={failed} query={query} />
	) : (
		<SkeletonLines label={m.common_loading()} count={3} height="56px" />
	);
	return title === undefined ? face : <Section title={title}>{face}</Section>;
}
