import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { iconProps } from '../primitives/icon.ts';
import { IconButton } from '../primitives/icon-button.tsx';
import { TextField } from './field.tsx';
import classes from './search-field.module.css';

const debounceMs = 250;

interface SearchFieldProps {
	label: string;
	value: string;
	onChange: (value: string) => void;
	/** Whether a dialog that opens gives the focus to this field. */
	hasInitialFocus?: boolean;
}

/** A search box. The key `/` focuses it; Escape empties it. */
export function SearchField({ label, value, onChange, hasInitialFocus = false }: SearchFieldProps) {
	const input = useRef<HTMLInputElement>(null);
	const [typed, setTyped] = useState(value);
	const reported = useRef(value);

	const report = useDebouncedCallback((text: string) => {
		if (text === reported.current) return;
		reported.current = text;
		onChange(text);
	}, debounceMs);
	const type = (text: string) => {
		setTyped(text);
		report(text);
	};
	useEffect(() => {
		if (value === reported.current) return;
		report.cancel();
		reported.current = value;
		setTyped(value);
	}, [value, report]);

	useWindowEvent('keydown', (event) => {
		if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
		event.preventDefault();
		input.current?.focus();
		input.current?.select();
	});

	return (
		<TextField
			ref={input}
			type="search"
			data-autofocus={hasInitialFocus || undefined}
			className={classes.search}
			aria-label={label}
			aria-keyshortcuts="/"
			placeholder={label}
			maxLength={limits.searchMaxLength}
			value={typed}
			onChange={(event) => type(event.currentTarget.value)}
			onKeyDown={(event) => {
				if (event.key === 'Escape' && typed !== '') {
					event.stopPropagation();
					type('');
				}
			}}
			leftSection={<IconSearch {...iconProps} />}
			rightSection={
				typed === '' ? (
					<span className={classes.key} aria-hidden="true">
						/
					</span>
				) : (
					<IconButton
						size="small"
						label={m.common_clear_search()}
						icon={IconX}
						onClick={() => {
							type('');
							input.current?.focus();
						}}
					/>
				)
			}
			rightSectionPointerEvents={typed === '' ? 'none' : 'auto'}
		/>
	);
}

function isTyping(target: EventTarget | null): boolean {
	if (document.querySelector('[role="dialog"]') !== null) return true;
	return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
