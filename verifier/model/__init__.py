"""The words everything else is written in: plain frozen data, no behaviour beyond their own consistency."""
