import type { DragEvent } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';

/** Data type of a drag of nodes. Files dragged into the browser for an upload do not have this type. */
const dragType = 'application/x-folio-nodes';
/** Browsers reveal the data of a drag only on drop, but `dragover` needs the nodes to check the target. */
const dragged: { nodes: Node[] } = { nodes: [] };

/** Starts dragging nodes. The drag image of several nodes shows their number. */
export function beginDrag(event: DragEvent, nodes: Node[]): void {
	dragged.nodes = nodes;
	event.dataTransfer.setData(dragType, String(nodes.length));
	event.dataTransfer.effectAllowed = 'move';
	if (nodes.length > 1) {
		const picture = document.createElement('div');
		picture.textContent = m.files_selected({ count: formatCount(nodes.length) });
		picture.className = 'drag-picture';
		document.body.append(picture);
		event.dataTransfer.setDragImage(picture, 12, 12);
		requestAnimationFrame(() => picture.remove());
	}
}

/** Returns handlers for a parent of drop targets. A drop target has the path of its folder in `data-drop-path`. */
export function dropHandlers(onMove: (nodes: Node[], path: string) => void) {
	return {
		onDragOver: (event: DragEvent) => {
			const dropElement = dropElementOf(event);
			if (dropElement === undefined) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = 'move';
			dropElement.dataset.drop = '';
		},
		onDragLeave: (event: DragEvent) => {
			const dropElement = dropElementOf(event);
			if (dropElement && !(event.relatedTarget instanceof Element && dropElement.contains(event.relatedTarget)))
				delete dropElement.dataset.drop;
		},
		onDrop: (event: DragEvent) => {
			const dropElement = dropElementOf(event);
			if (dropElement === undefined) return;
			event.preventDefault();
			delete dropElement.dataset.drop;
			onMove(dragged.nodes, dropElement.dataset.dropPath ?? '');
			dragged.nodes = [];
		},
	};
}

/** Returns the target below the pointer, unless all dragged nodes are in it or it is inside a dragged folder. */
function dropElementOf(event: DragEvent): HTMLElement | undefined {
	if (!event.dataTransfer.types.includes(dragType) || !(event.target instanceof Element)) return undefined;
	const dropElement = event.target.closest<HTMLElement>('[data-drop-path]');
	const path = dropElement?.dataset.dropPath;
	if (dropElement === null || path === undefined || dragged.nodes.every((node) => node.path === path)) return undefined;
	const isInside = dragged.nodes.some(({ realPath }) => realPath !== null && path.split('/').includes(realPath));
	return isInside ? undefined : dropElement;
}
