import { Flex } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import { toAsciiDigits } from '#shared/numbers.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { PopoverButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import classes from '../reader.module.css';

interface PageJumpProps {
	page: number;
	pageCount: number;
	onPage: (page: number) => void;
	/** Called while the user types; null for an incomplete or invalid page number. */
	onPreload: (page: number | null) => void;
	isOpen: boolean;
	onOpen: (isOpen: boolean) => void;
}

export function PageJump({ page, pageCount, onPage, onPreload, isOpen, onOpen }: PageJumpProps) {
	const currentPageLabel = m.reader_page_of({ page, count: pageCount });
	return (
		<PopoverButton
			isOpen={isOpen}
			onOpen={onOpen}
			position="top-start"
			label={m.reader_jump()}
			className={classes.panel}
			// A transition would delay the rendering of the page to which the user jumps.
			transitionProps={{ duration: 0 }}
			button={(props) => (
				<button
					type="button"
					className={classes.jump}
					style={{ marginLeft: -8 }}
					aria-label={m.reader_jump_from({ where: currentPageLabel })}
					aria-keyshortcuts="g"
					{...props}
				>
					<span role="status">{currentPageLabel}</span>
				</button>
			)}
		>
			<PageJumpForm
				pageCount={pageCount}
				onPreload={onPreload}
				onPage={(to) => {
					onOpen(false);
					onPage(to);
				}}
			/>
		</PopoverButton>
	);
}

function PageJumpForm({ pageCount, onPage, onPreload }: Pick<PageJumpProps, 'pageCount' | 'onPage' | 'onPreload'>) {
	const [text, setText] = useState('');
	const [isInvalid, setInvalid] = useState(false);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const page = parsePageNumber(text, pageCount);
		if (page === null) setInvalid(true);
		else onPage(page);
	};
	return (
		<Flex component="form" noValidate align="end" gap={12} style={{ whiteSpace: 'normal' }} onSubmit={submit}>
			<TextField
				label={m.reader_jump_number({ count: pageCount })}
				inputMode="numeric"
				autoComplete="off"
				size="sm"
				w={176}
				data-autofocus
				value={text}
				error={isInvalid ? m.reader_jump_invalid({ count: pageCount }) : undefined}
				onChange={(event) => {
					const typed = event.currentTarget.value;
					setText(typed);
					setInvalid(false);
					onPreload(parseFinishedPageNumber(typed, pageCount));
				}}
			/>
			<Button type="submit" variant="primary">
				{m.reader_jump_go()}
			</Button>
		</Flex>
	);
}

/** Parses a page number in digits of any script. Returns null for other text, and for a page that does not exist. */
export function parsePageNumber(text: string, pageCount: number): number | null {
	const digits = toAsciiDigits(text.trim());
	if (!/^\d{1,7}$/u.test(digits)) return null;
	const page = Number(digits);
	return page >= 1 && page <= pageCount ? page : null;
}

/** Returns null if a further digit could follow, for example for the text `1` in a document with 20 pages. */
export function parseFinishedPageNumber(text: string, pageCount: number): number | null {
	const page = parsePageNumber(text, pageCount);
	return page !== null && page * 10 > pageCount ? page : null;
}
