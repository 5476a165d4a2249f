/**
 * How many entries an LRU cache keeps at most, without the room for all of them: by `max` it would reserve that when it is made, megabytes in
 * each process and each command.
 */
export const asManyAs = (most: number) => ({ maxSize: most, sizeCalculation: () => 1 });
