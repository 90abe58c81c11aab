import { useEffect, useState } from 'react';
import { m } from '#messages';
import { useMe } from '#web/platform/session.ts';
import { BookCover } from '#web/ui/book-cover.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { languageWord, titleOf } from './edition-words.ts';
import { useShelf } from './reader.api.ts';
import classes from './welcome-dialog.module.css';
import { hasSeenWelcome, rememberWelcome } from './welcome-flag.ts';

/** Whom the welcome was put away for until the next visit. */
const putAway = new Set<string>();

const accessWords = { open: m.welcome_open, pending: m.welcome_pending, none: m.welcome_none } as const;

/** Tells a member about the book until they put it away; never an admin, nor one who looks on as a member. */
export function WelcomeDialog() {
	const me = useMe();
	if (me.role !== 'user' || me.view !== null) return null;
	return <Welcome key={me.id} uid={me.id} />;
}

function Welcome({ uid }: { uid: string }) {
	const [isWanted, setWanted] = useState(() => !putAway.has(uid) && !hasSeenWelcome(window.localStorage, uid));
	const [isForGood, setForGood] = useState(true);
	const shelf = useShelf();
	const isAlone = useNoOtherDialog(isWanted);
	const leave = () => {
		putAway.add(uid);
		if (isForGood) rememberWelcome(window.localStorage, uid);
		setWanted(false);
	};
	if (shelf.data === undefined) return null;
	const { title, access } = shelf.data;
	const language = document.documentElement.lang === 'hi' ? 'hi' : 'en';
	const shown = titleOf(title, { language });
	return (
		<Dialog
			isOpen={isWanted && isAlone}
			onClose={leave}
			title={m.welcome_title({ title: shown })}
			foot={
				<>
					<label className={classes.again}>
						<input type="checkbox" checked={isForGood} onChange={(event) => setForGood(event.currentTarget.checked)} />
						{m.welcome_not_again()}
					</label>
					<Button variant="primary" onClick={leave} data-autofocus>
						{m.welcome_begin()}
					</Button>
				</>
			}
		>
			<div className={classes.body}>
				<div className={classes.cover}>
					<BookCover
						part={1}
						language={language}
						title={shown}
						partLabel={m.reader_part({ part: 1 })}
						languageLabel={languageWord(language)}
					/>
				</div>
				<div className={classes.words}>
					<p>{m.welcome_book()}</p>
					<p>{accessWords[access]()}</p>
					<p>{m.welcome_rest()}</p>
				</div>
			</div>
		</Dialog>
	);
}

/** Whether no other dialog stands on the page, now or once the others have gone. */
function useNoOtherDialog(isAsked: boolean): boolean {
	const [isAlone, setAlone] = useState(false);
	useEffect(() => {
		if (!isAsked || isAlone) return;
		const look = () => setAlone(document.querySelector('[role="dialog"]') === null);
		look();
		const observer = new MutationObserver(look);
		observer.observe(document.body, { childList: true, subtree: true });
		return () => observer.disconnect();
	}, [isAsked, isAlone]);
	return isAlone;
}
