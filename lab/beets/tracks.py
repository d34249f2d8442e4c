"""tracks.py FOLDER ALBUM FIRST LAST: short WAV files with the tags of an album."""
import pathlib
import sys
import wave

import mediafile

folder, album, first, last = sys.argv[1:]
for number in range(int(first), int(last) + 1):
    path = pathlib.Path(folder) / album / f"{number:02} Tr\u00e4umerei.wav"
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(1600))
    tags = mediafile.MediaFile(str(path))
    tags.update({"title": f"{album} {number}", "album": album, "artist": "Robert", "albumartist": "Robert", "track": number, "year": 1838})
    tags.save()
