import { Group, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from './audit.module.css';
import { type AuditSearch, auditSearch, hasFilters } from './audit-api.ts';

type OnChange = (patch: Partial<AuditSearch>) => void;

export function AuditFilter({ search, onChange }: { search: AuditSearch; onChange: OnChange }) {
	// Dates of the form YYYY-MM-DD can be compared as text.
	const isRangeReversed = search.from !== '' && search.to !== '' && search.from > search.to;
	return (
		<Stack gap={12} mb={16}>
			<Group gap={12} align="flex-end">
				<UserField value={search.person} onChange={(person) => onChange({ person })} />
				<TextField
					type="date"
					className={classes.day}
					label={m.audit_from()}
					value={search.from}
					max={search.to || undefined}
					error={isRangeReversed ? m.audit_days_crossed() : undefined}
					onChange={(event) => onChange({ from: event.currentTarget.value })}
				/>
				<TextField
					type="date"
					className={classes.day}
					label={m.audit_to()}
					value={search.to}
					min={search.from || undefined}
					onChange={(event) => onChange({ to: event.currentTarget.value })}
				/>
				{hasFilters(search) && (
					<Button variant="quiet" onClick={() => onChange(auditSearch({}))}>
						{m.audit_clear()}
					</Button>
				)}
			</Group>
			<ChipFilter
				label={m.audit_filter()}
				value={search.kind}
				onChange={(kind) => onChange({ kind })}
				choices={[
					{ value: 'all', label: m.audit_kind_all() },
					{ value: 'people', label: m.audit_kind_users() },
					{ value: 'sign-in', label: m.audit_kind_sign_in() },
					{ value: 'orders', label: m.audit_kind_orders() },
					{ value: 'files', label: m.audit_kind_files() },
					{ value: 'settings', label: m.audit_kind_settings() },
					{ value: 'credentials', label: m.audit_kind_credentials() },
				]}
			/>
		</Stack>
	);
}

const typingPauseMs = 300;

/**
 * An email field with native suggestions (`datalist`). Incomplete text does not filter the list. Enter, or leaving the
 * field, replaces incomplete text with the first suggestion.
 */
function UserField({ value, onChange }: { value: string; onChange: (person: string) => void }) {
	const listId = useId();
	const [typed, setTyped] = useState(value);
	const [reported, setReported] = useState(value);
	if (value !== reported) {
		setReported(value);
		setTyped(value);
	}
	const input = { search: typed.trim(), limit: 8 };
	const isSearching = input.search.length >= 2;
	const users = useQuery(
		api.people.list.queryOptions({ input, placeholderData: keepPreviousData, enabled: isSearching }),
	);
	const addresses = isSearching ? (users.data?.items ?? []).map(({ email }) => email) : [];
	/** Whether `addresses` belong to the text that is typed now. */
	const isSettled = !isSearching || (!users.isPending && !users.isPlaceholderData);
	const isKnownAddress = addresses.some((email) => email.toLowerCase() === typed.trim().toLowerCase());
	// Text without suggestions is complete too, because it can be the email of a deleted user.
	const isComplete = typed.trim() === '' || isKnownAddress || (isSettled && addresses.length === 0);
	const chooseFirstSuggestion = () => {
		const [first] = addresses;
		if (isComplete || !isSettled || first === undefined) return;
		setTyped(first);
		setReported(first);
		onChange(first);
	};
	useEffect(() => {
		if (typed === reported || !isComplete) return;
		const timer = window.setTimeout(() => {
			setReported(typed);
			onChange(typed);
		}, typingPauseMs);
		return () => window.clearTimeout(timer);
	}, [typed, reported, isComplete, onChange]);
	return (
		<>
			<TextField
				type="search"
				className={classes.user}
				label={m.audit_user()}
				placeholder={m.audit_user_hint()}
				maxLength={limits.searchMaxLength}
				autoComplete="off"
				list={listId}
				value={typed}
				onChange={(event) => setTyped(event.currentTarget.value)}
				onKeyDown={(event) => event.key === 'Enter' && chooseFirstSuggestion()}
				onBlur={chooseFirstSuggestion}
			/>
			<datalist id={listId}>
				{addresses.map((email) => (
					<option key={email} value={email} />
				))}
			</datalist>
		</>
	);
}
