import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { Section } from '../layout/section.tsx';
import { SkeletonLines } from '../states/skeleton.tsx';
import { FailedQuery } from '../states/states.tsx';

interface LoadedSettingsProps<Saved> {
	query: UseQueryResult<Saved>;
	/** What failed, in the specified words. */
	failed: string;
	/** Of the section around what stands there until the settings come; without it they have none of their own. */
	title?: string;
	/** Once they are there; `refetch` asks for the settings as they stand then, undefined where they cannot be had. */
	children: (saved: Saved, lookAgain: () => Promise<Saved | undefined>) => ReactNode;
}

/** Settings with their faces: loading, failed, and what is drawn of them. */
export function LoadedSettings<Saved>({ query, failed, title, children }: LoadedSettingsProps<Saved>) {
	if (query.data !== undefined) {
		const refetch = async () => {
			const { data, isError } = await query.refetch();
			return isError ? undefined : data;
		};
		return children(query.data, refetch);
	}
	const placeholder = query.isError ? (
		<FailedQuery text={failed} query={query} />
	) : (
		<SkeletonLines label={m.common_loading()} count={3} height="56px" />
	);
	return title === undefined ? placeholder : <Section title={title}>{placeholder}</Section>;
}
