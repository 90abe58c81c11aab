import { Flex, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { m } from '#messages';
import { toastWithUndo } from '#web/ui/overlays/toasts-with-button.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './fields.module.css';

interface Item {
	id: string;
}

interface ListFieldProps<T extends Item> {
	value: readonly T[];
	change: (change: (items: readonly T[]) => T[]) => void;
	nameOf: (item: T) => string;
	/** Errors by path: `0.title.en`. */
	errors: Record<string, string>;
	minCount?: number;
	maxCount: number;
	addLabel: string;
	newItem: Omit<T, 'id'>;
	onOpen?: (item: T) => void;
	children: (item: T, change: (patch: Partial<T> | ((item: T) => Partial<T>)) => void, path: string) => ReactNode;
}

/** Items that can be added, removed, moved and edited. One item is open at a time. */
export function ListField<T extends Item>(props: ListFieldProps<T>) {
	const { value: items, change: onChange, nameOf, errors, minCount = 0, maxCount, addLabel, onOpen, children } = props;
	const [openId, setOpenId] = useState<string>();
	const [announcement, setAnnouncement] = useState('');
	const listId = useId();
	const open = (item: T) => {
		setOpenId(item.id);
		onOpen?.(item);
	};
	const add = () => {
		const item = { ...props.newItem, id: crypto.randomUUID() } as T;
		onChange((current) => [...current, item]);
		open(item);
		focusLater(`${listId}-${item.id}`, 'input');
	};
	const changeItem = (id: string, patch: Partial<T> | ((item: T) => Partial<T>)) =>
		onChange((current) =>
			current.map((item) =>
				item.id === id ? { ...item, ...(typeof patch === 'function' ? patch(item) : patch) } : item,
			),
		);
	const remove = (item: T, index: number) => {
		onChange((current) => current.filter(({ id }) => id !== item.id));
		if (items.length === 1) focusLater(`${listId}-add`, 'button');
		else focusLater(listId, `:scope > li:nth-child(${Math.max(index, 1)}) button`);
		toastWithUndo(m.editor_item_removed({ name: nameOf(item) || String(index + 1) }), () =>
			onChange((current) => current.filter(({ id }) => id !== item.id).toSpliced(index, 0, item)),
		);
	};
	const move = (item: T, from: number, to: number) => {
		onChange((current) => current.filter(({ id }) => id !== item.id).toSpliced(to, 0, item));
		setAnnouncement(m.editor_item_moved({ name: nameOf(item), position: to + 1, count: items.length }));
		const direction = to < from ? 'up' : 'down';
		focusLater(`${listId}-${item.id}`, `[data-move="${direction}"]:enabled, [data-move]:enabled`);
	};

	return (
		<Stack gap={8}>
			<ul id={listId} className={classes.items}>
				{items.map((item, index) => {
					const name = nameOf(item) || m.editor_item_unnamed();
					const isOpen = item.id === openId;
					const hasError = Object.keys(errors).some((path) => path.startsWith(`${index}.`));
					const contentId = `${listId}-${item.id}-content`;
					return (
						<li key={item.id} id={`${listId}-${item.id}`} className={classes.item} data-error={hasError || undefined}>
							<Flex align="center" gap={2} className={classes.itemHeader}>
								<button
									type="button"
									className={classes.itemName}
									aria-expanded={isOpen}
									aria-controls={contentId}
									onClick={() => (isOpen ? setOpenId(undefined) : open(item))}
								>
									<IconChevronDown {...iconProps} className={classes.chevron} />
									<span className={textClasses.figure}>{index + 1}</span>
									<span className={textClasses.cut}>{name}</span>
								</button>
								<IconButton
									size="small"
									label={m.editor_item_up({ name })}
									icon={IconArrowUp}
									data-move="up"
									disabled={index === 0}
									onClick={() => move(item, index, index - 1)}
								/>
								<IconButton
									size="small"
									label={m.editor_item_down({ name })}
									icon={IconArrowDown}
									data-move="down"
									disabled={index === items.length - 1}
									onClick={() => move(item, index, index + 1)}
								/>
								<IconButton
									size="small"
									label={m.editor_item_remove({ name })}
									icon={IconTrash}
									disabled={items.length <= minCount}
									onClick={() => remove(item, index)}
								/>
							</Flex>
							{(isOpen || hasError) && (
								// An item that is open because of an error stays open while the error is corrected.
								<Stack gap={12} p={12} id={contentId} onFocus={() => setOpenId(item.id)}>
									{children(item, (patch) => changeItem(item.id, patch), `${index}.`)}
								</Stack>
							)}
						</li>
					);
				})}
			</ul>
			{items.length < maxCount ? (
				<Group id={`${listId}-add`}>
					<Button size="small" icon={IconPlus} onClick={add}>
						{addLabel}
					</Button>
				</Group>
			) : (
				<p className={textClasses.note}>{m.editor_list_full({ count: maxCount })}</p>
			)}
			<p role="status" className={textClasses.hidden}>
				{announcement}
			</p>
		</Stack>
	);
}

/** Moves the focus after the change was rendered. */
function focusLater(id: string, selector: string): void {
	setTimeout(() => {
		const element = document.getElementById(id)?.querySelector(selector);
		if (element instanceof HTMLElement) element.focus();
	});
}
