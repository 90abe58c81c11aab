import { Flex, Group, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { editionWording } from '#contract/book/editions.ts';
import { m } from '#messages';
import { excerptWording } from '#web/platform/browser/site.ts';
import { storage } from '#web/platform/browser/storage.ts';
import { businessTimeZone } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { EditionCover } from './edition-cover.tsx';
import { editionTitle } from './edition-labels.ts';
import classes from './shelf.module.css';
import { useShelf } from './shelf-api.ts';

const dismissedUserIds = new Set<string>();

const accessLabels = { open: m.welcome_open, pending: m.welcome_pending, none: m.welcome_none } as const;

/** Introduces the book to members until they dismiss the dialog. Not shown to admins, even during an impersonation. */
export function WelcomeDialog() {
	const me = useMe();
	if (me.role !== 'user' || me.view !== null) return null;
	return <Welcome key={me.id} uid={me.id} />;
}

function Welcome({ uid }: { uid: string }) {
	const [isRequested, setRequested] = useState(
		() => !dismissedUserIds.has(uid) && storage.get(welcomeKey(uid)) === null,
	);
	const [isPermanent, setPermanent] = useState(true);
	const shelf = useShelf();
	const isAlone = useIsOnlyDialog(isRequested);
	const dismiss = () => {
		dismissedUserIds.add(uid);
		// Without storage, the dialog is shown again on the next visit.
		if (isPermanent) storage.set(welcomeKey(uid), 'true');
		setRequested(false);
	};
	if (shelf.data === undefined) return null;
	const { title, access, offered } = shelf.data;
	const locale = document.documentElement.lang === 'hi' ? 'hi' : 'en';
	const wording = editionWording(offered, locale);
	const shown = editionTitle(title, { language: locale });
	const [part] = offered.parts;
	const language = offered.languages.find(({ code }) => code === locale) ?? offered.languages[0];
	return (
		<Dialog
			isOpen={isRequested && isAlone}
			onClose={dismiss}
			title={m.welcome_title({ title: shown })}
			footer={
				<>
					<Flex
						component="label"
						align="center"
						gap={8}
						mih="var(--control)"
						mr="auto"
						fz={14}
						style={{ cursor: 'pointer' }}
					>
						<input
							type="checkbox"
							style={{ width: 18, height: 18, margin: 0 }}
							checked={isPermanent}
							onChange={(event) => setPermanent(event.currentTarget.checked)}
						/>
						{m.welcome_not_again()}
					</Flex>
					<Button variant="primary" onClick={dismiss} data-autofocus>
						{m.welcome_begin()}
					</Button>
				</>
			}
		>
			<Group gap={20} align="flex-start" wrap="nowrap">
				<div className={classes.welcomeCover}>
					{part && language && (
						<EditionCover offered={offered} title={title} edition={{ part: part.number, language: language.code }} />
					)}
				</div>
				<Stack gap={10} c="var(--ink-2)" lh="var(--leading-text)">
					<p>{m.welcome_book(wording)}</p>
					<p>{accessLabels[access]({ ...wording, ...excerptWording() })}</p>
					<p>{m.welcome_rest()}</p>
				</Stack>
			</Group>
		</Dialog>
	);
}

/** Becomes true when no other dialog is open, and then stays true. */
function useIsOnlyDialog(isEnabled: boolean): boolean {
	const [isAlone, setAlone] = useState(false);
	useEffect(() => {
		if (!isEnabled || isAlone) return;
		const check = () => setAlone(document.querySelector('[role="dialog"]') === null);
		check();
		const observer = new MutationObserver(check);
		observer.observe(document.body, { childList: true, subtree: true });
		return () => observer.disconnect();
	}, [isEnabled, isAlone]);
	return isAlone;
}

/** Storage key for a dismissed welcome. Source: the specification's section 2. */
function welcomeKey(uid: string): string {
	return `welcome_seen_${uid}`;
}

const greetings = {
	morning: { named: m.dashboard_greeting_morning, unnamed: m.dashboard_greeting_morning_unnamed },
	afternoon: { named: m.dashboard_greeting_afternoon, unnamed: m.dashboard_greeting_afternoon_unnamed },
	evening: { named: m.dashboard_greeting_evening, unnamed: m.dashboard_greeting_evening_unnamed },
};

/** Returns, for example, `Good morning, Asha`. Omits an unknown name. */
export function useGreeting(): string {
	const first = useMe().name?.trim().split(/\s+/u)[0];
	const { named, unnamed } = greetings[partOfDay(new Date(), businessTimeZone())];
	return first ? named({ name: first }) : unnamed();
}

/** Times before 4:00 are evening. */
export function partOfDay(now: Date, timeZone: string): 'morning' | 'afternoon' | 'evening' {
	const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: 'numeric', hourCycle: 'h23', timeZone }).format(now));
	if (hour < 4 || hour >= 17) return 'evening';
	return hour < 12 ? 'morning' : 'afternoon';
}
