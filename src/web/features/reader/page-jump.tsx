import { Popover } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import classes from './page-jump.module.css';
import { readPageNumber, readWholeNumber } from './page-number.ts';

interface PageJumpProps {
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
	/** Hears of the page while its number is being typed; null while there is none. */
	onLikely: (page: number | null) => void;
	isOpen: boolean;
	onOpen: (is: boolean) => void;
}

/** Which page is open, as a button behind which another one's number is asked for. */
export function PageJump({ page, pageCount, onPage, onLikely, isOpen, onOpen }: PageJumpProps) {
	const where = m.reader_page_of({ page, count: pageCount });
	return (
		<Popover
			opened={isOpen}
			onChange={onOpen}
			position="top-start"
			trapFocus
			returnFocus
			withinPortal={false}
			// Its fading would take the time in which the page is drawn.
			transitionProps={{ duration: 0 }}
		>
			<Popover.Target>
				<button
					type="button"
					className={classes.where}
					aria-label={m.reader_jump_from({ where })}
					aria-keyshortcuts="g"
					onClick={() => onOpen(!isOpen)}
				>
					<span role="status">{where}</span>
				</button>
			</Popover.Target>
			<Popover.Dropdown className={classes.panel ?? ''} aria-label={m.reader_jump()}>
				<JumpForm
					pageCount={pageCount}
					onLikely={onLikely}
					onPage={(to) => {
						onOpen(false);
						onPage(to);
					}}
				/>
			</Popover.Dropdown>
		</Popover>
	);
}

function JumpForm({ pageCount, onPage, onLikely }: Pick<PageJumpProps, 'pageCount' | 'onPage' | 'onLikely'>) {
	const [text, setText] = useState('');
	const [isRefused, setRefused] = useState(false);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const page = readPageNumber(text, pageCount);
		if (page === null) setRefused(true);
		else onPage(page);
	};
	return (
		<form noValidate className={classes.form} onSubmit={submit}>
			<TextField
				label={m.reader_jump_number({ count: pageCount })}
				inputMode="numeric"
				autoComplete="off"
				size="sm"
				data-autofocus
				value={text}
				error={isRefused ? m.reader_jump_refused({ count: pageCount }) : undefined}
				onChange={(event) => {
					const typed = event.currentTarget.value;
					setText(typed);
					setRefused(false);
					onLikely(readWholeNumber(typed, pageCount));
				}}
			/>
			<Button type="submit" variant="primary">
				{m.reader_jump_go()}
			</Button>
		</form>
	);
}
