import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PeoplePicker } from '#web/features/people/people-picker.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import classes from './beside-people.module.css';

type Search = Record<string, string>;

interface BesidePeopleProps {
	/** Names the list of people. */
	label: string;
	/** The chosen one's email, '' for nobody. */
	chosen: string;
	/** The search parameters that choose a person. */
	searchFor: (email: string) => Search;
	children: ReactNode;
}

/** People left, what concerns the chosen one right; on a phone one after the other. */
export function BesidePeople({ label, chosen, searchFor, children }: BesidePeopleProps) {
	return (
		<div className={classes.parts} data-chosen={chosen === '' ? undefined : true}>
			<div className={classes.people}>
				<PeoplePicker label={label} chosen={chosen} searchFor={searchFor} />
			</div>
			<div className={classes.theirs}>{children}</div>
		</div>
	);
}

/** On a phone, leads from the chosen person back to all: to the search parameters without one. */
export function BackToPeople({ label, search }: { label: string; search: Search }) {
	return (
		<ButtonLink
			to="."
			search={search}
			size="small"
			variant="quiet"
			className={classes.back}
			icon={<IconArrowLeft {...iconProps} />}
		>
			{label}
		</ButtonLink>
	);
}
