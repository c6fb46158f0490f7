"""Words that questions are made of: lower-case ASCII letters only, none of them twice."""

from __future__ import annotations


def _listed(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES = _listed("Ada Ben Cleo Dan Eve Finn Gus Hana Iris Jon Kira Leo Mira Noor Otis Pia Quin Rosa Sam Tess Uma Vito Wim Yara Zoe")

WORDS = _listed("""
    acorn amber anchor apron arrow autumn badger bakery balcony barrel basket beacon blanket border bottle branch bridge bronze
    bucket butter cabin candle canvas carpet castle cellar chapter cherry chimney circle clover cobalt coffee copper corner cotton
    cradle crystal curtain dagger desert dragon drawer eagle ember engine falcon feather fender fiddle finger flannel forest fossil
    garden garlic ginger glacier goblet granite gravel hammer harbor hazel helmet hollow hunter island ivory jacket jasmine jungle
    kettle kitchen ladder lantern lemon letter lizard locket magnet maple marble meadow mirror mitten monsoon mortar napkin needle
    nettle nickel noodle nugget oatmeal olive onion orchard otter oyster paddle palace pebble pepper pewter pillow planet pocket
    pumpkin puzzle quarry quartz rabbit radish raven ribbon river rocket rooster saddle salmon sandal satchel shadow shelter silver
    spider spruce stable sugar summit sunset tailor teapot temple thimble thunder timber tomato trumpet tulip tunnel turtle umbrella
    valley velvet violin walnut whistle willow window winter yellow zipper
""")

ARTICLES = _listed("apple bell book bowl chair clock comb cup desk fan fork jar key lamp map mug pan pen plate rug spoon vase")
"""Things that are bought; each with an s is more than one."""

NUMBERS = _listed("no one two three four five six seven")
"""Small numbers as they are written in a sentence, from 0."""
