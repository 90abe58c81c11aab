import { Flex } from '@mantine/core';
import { type Icon, IconUser, IconUsersGroup, IconX } from '@tabler/icons-react';
import { m } from '#messages';
import { Button } from '../primitives/button.tsx';
import { smallIconProps } from '../primitives/icon.ts';
import textClasses from '../primitives/text.module.css';

export interface Token {
	id: string;
	label: string;
	isGroup: boolean;
}

interface ChosenTokensProps {
	label: string;
	tokens: readonly Token[];
	onRemove: (id: string) => void;
}

/** The chosen users and groups. Pressing one removes it from the selection. */
export function ChosenTokens({ label, tokens, onRemove }: ChosenTokensProps) {
	if (tokens.length === 0) return null;
	const iconOf = ({ isGroup }: Token): Icon => (isGroup ? IconUsersGroup : IconUser);
	return (
		<Flex component="ul" wrap="wrap" gap={8} aria-label={label}>
			{tokens.map((token) => (
				<li key={token.id} style={{ maxWidth: '100%' }}>
					<Button
						size="small"
						icon={iconOf(token)}
						aria-label={m.common_take_out({ name: token.label })}
						style={{ maxWidth: '100%' }}
						onClick={() => onRemove(token.id)}
					>
						<span className={textClasses.cut}>{token.label}</span>
						<IconX {...smallIconProps} style={{ flex: 'none' }} />
					</Button>
				</li>
			))}
		</Flex>
	);
}

/** Beside an item of a list from which users and groups are chosen. */
export function ChooseButton({ name, isChosen, onClick }: { name: string; isChosen: boolean; onClick: () => void }) {
	return (
		<Button
			size="small"
			variant={isChosen ? 'quiet' : 'default'}
			aria-label={m.common_choose_name({ name })}
			aria-pressed={isChosen}
			onClick={onClick}
		>
			{isChosen ? m.common_chosen() : m.common_choose()}
		</Button>
	);
}
