import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { Section } from '../layout/section.tsx';
import { SkeletonLines } from '../states/skeleton.tsx';
import { FailedQuery } from '../states/states.tsx';

interface LoadedSettingsProps<Saved> {
	query: UseQueryResult<Saved>;
	failed: string;
	/** Title of the section that wraps the loading and error states; without a title there is no section. */
	title?: string | undefined;
	skeleton?: ReactNode;
	/** `refetch` resolves to undefined if reloading fails. */
	children: (saved: Saved, refetch: () => Promise<Saved | undefined>) => ReactNode;
}

export function LoadedSettings<Saved>({ query, failed, title, skeleton, children }: LoadedSettingsProps<Saved>) {
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
		(skeleton ?? <SkeletonLines label={m.common_loading()} count={3} height="56px" />)
	);
	return title === undefined ? placeholder : <Section title={title}>{placeholder}</Section>;
}
